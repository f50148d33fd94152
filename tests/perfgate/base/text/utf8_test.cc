// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace perfgate {
namespace {

// RFC 3629, by arithmetic on the code point: another way than the byte ranges of the code.
std::string encoded(std::uint32_t point) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 63))};
  if (point < 0x10000) {
    return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 63)), byte(0x80 | (point & 63))};
  }
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 63)), byte(0x80 | (point >> 6 & 63)),
          byte(0x80 | (point & 63))};
}

TEST(Utf8, AcceptsExactlyTheScalarValues) {
  for (std::uint32_t point = 0; point < 0x120000; ++point) {
    const std::string text = encoded(point);
    const bool scalar = point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
    ASSERT_EQ(utf8_length(text, 0), scalar ? text.size() : 0) << std::hex << point;
    ASSERT_EQ(well_formed_utf8(text) == text, scalar) << std::hex << point;
    if (text.size() > 1) {
      ASSERT_EQ(utf8_length(text.substr(0, text.size() - 1), 0), 0U)
          << "cut, " << std::hex << point;
      ASSERT_EQ(utf8_length(text, 1), 0U) << "continuation, " << std::hex << point;
    }
  }
}

TEST(Utf8, TellsTheStartOfACharacterAtTheEnd) {
  for (std::uint32_t point = 0; point < 0x120000; point += 13) {
    const std::string text = encoded(point);
    const bool scalar = point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
    EXPECT_EQ(PartialUtf8("a" + text), 0U) << std::hex << point;
    for (std::size_t cut = 1; scalar && cut < text.size(); ++cut) {
      EXPECT_EQ(PartialUtf8("\xC3\xA9" + text.substr(0, cut)), cut) << std::hex << point;
    }
  }
  for (const std::string none :
       {"", "\x80", "\xC0", "\xE0\x80", "\xED\xA0", "\xF4\x90", "\xF5", "\xE2z", "\xF0\x80"}) {
    EXPECT_EQ(PartialUtf8(none), 0U) << none;
  }
}

TEST(Utf8, RefusesOverlongForms) {
  for (const std::string text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF"}) {
    EXPECT_EQ(utf8_length(text, 0), 0U);
  }
}

TEST(Utf8, ReplacesOnlyTheBadBytes) {
  EXPECT_EQ(well_formed_utf8("a\xFFz\xC3\xA9\xC3"), "a\xEF\xBF\xBDz\xC3\xA9\xEF\xBF\xBD");
}

TEST(VisibleText, KeepsValidTextAndShowsOtherBytes) {
  EXPECT_EQ(VisibleText("a\n\"\\\x01 \xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\x89"),
            "a\n\"\\\x01 \xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\x89");
  EXPECT_EQ(VisibleText("\xff\x80"), R"(\xff\x80)");
  EXPECT_EQ(VisibleText("\xc0\xaf"), R"(\xc0\xaf)");                  // overlong '/'
  EXPECT_EQ(VisibleText("\xe0\x80\xaf"), R"(\xe0\x80\xaf)");          // overlong, three bytes
  EXPECT_EQ(VisibleText("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // surrogate
  EXPECT_EQ(VisibleText("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // above U+10FFFF
  EXPECT_EQ(VisibleText("x\xe2\x82"), R"(x\xe2\x82)");                // cut off
  EXPECT_EQ(VisibleText("\xe2\x82\xe2\x82\xac"), "\\xe2\\x82\xe2\x82\xac");
}

// Oracle: nlohmann's strict serialiser accepts exactly well-formed UTF-8.
TEST(VisibleText, AgreesWithAnIndependentDecoder) {
  std::mt19937 random(7);
  const std::string pieces[] = {"a",
                                "\x7f",
                                "\x80",
                                "\xbf",
                                "\xc2",
                                "\xc3\xa9",
                                "\xe0\xa0",
                                "\xe2\x82\xac",
                                "\xed\x9f\xbf",
                                "\xee",
                                "\xf0\x90\x80\x80",
                                "\xf4\x8f\xbf\xbf",
                                "\xf5"};
  int valid = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int n = 0; n < 4; ++n) {
      text +=
          random() % 4 == 0 ? std::string(1, static_cast<char>(random())) : pieces[random() % 13];
    }
    bool accepted = true;
    try {
      (void)nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception&) {
      accepted = false;
    }
    valid += accepted ? 1 : 0;
    EXPECT_EQ(VisibleText(text) == text, accepted) << testing::PrintToString(text);
    EXPECT_NO_THROW((void)nlohmann::json(VisibleText(text)).dump());
  }
  EXPECT_GT(valid, 1000);
}

}  // namespace
}  // namespace perfgate
