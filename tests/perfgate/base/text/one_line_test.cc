// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/one_line.h"

#include <gtest/gtest.h>

#include "perfgate/base/text/utf8.h"

namespace perfgate::measure {
namespace {

TEST(Text, OneLineKeepsTheEndAndShowsWhatCannotBeSeen) {
  EXPECT_EQ(one_line_tail("a\nb\n\n", 100), "a | b");
  EXPECT_EQ(one_line_tail("a\x01\x7f\xff", 100), "a\\x01\\x7f\\xff");
  EXPECT_EQ(one_line_tail("0123456789", 4), "...6789");
  EXPECT_EQ(one_line_tail("\xc3\xbc\xc3\xbc", 3), "...\xc3\xbc");
  EXPECT_EQ(one_line_tail("", 4), "");
}

TEST(Text, EveryByteStringBecomesOneLineOfUtf8) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (std::size_t cut = 0; cut < all.size(); ++cut) {
    const std::string line = one_line_tail(all.substr(cut) + all.substr(0, cut), 100);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(line, well_formed_utf8(line));
  }
}

TEST(Text, TailIsNamedOnlyWhenThereIsOne) {
  EXPECT_EQ(with_tail("it broke", ""), "it broke");
  EXPECT_EQ(with_tail("it broke", "why"), "it broke; last output: why");
}

}  // namespace
}  // namespace perfgate::measure
