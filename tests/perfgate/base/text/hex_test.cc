// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/hex.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace perfgate {
namespace {

TEST(Hex, WritesSixteenDigits) {
  EXPECT_EQ(Hex(0), "0000000000000000");
  EXPECT_EQ(Hex(0xABC), "0000000000000abc");
  EXPECT_EQ(Hex(std::numeric_limits<std::uint64_t>::max()), "ffffffffffffffff");
}

TEST(HexBytes, WritesTwoDigitsForEachByte) {
  EXPECT_EQ(HexBytes({}), "");
  EXPECT_EQ(HexBytes(std::array<unsigned char, 3>{0x00, 0x0f, 0xff}), "000fff");
}

TEST(EscapedByte, ShowsBytesBeyondAscii) {
  EXPECT_EQ(EscapedByte('\n'), "\\x0a");
  EXPECT_EQ(EscapedByte('\xff'), "\\xff");
}

TEST(IsHex, WantsExactlySoManyLowerCaseDigits) {
  EXPECT_TRUE(IsHex("0af9", 4));
  EXPECT_FALSE(IsHex("0af9", 5));
  EXPECT_FALSE(IsHex("0AF9", 4));
  EXPECT_FALSE(IsHex("0ag9", 4));
  EXPECT_TRUE(IsHex("", 0));
}

}  // namespace
}  // namespace perfgate
