// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>

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

}  // namespace
}  // namespace perfgate
