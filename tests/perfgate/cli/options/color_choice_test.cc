// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/color_choice.h"

#include <gtest/gtest.h>

namespace perfgate::cli {
namespace {

constexpr bool kTerminal = true;

TEST(ColorChoice, FollowsTheTerminal) {
  EXPECT_TRUE(UsesColor("auto", kTerminal, {.term = "xterm"}));
  EXPECT_FALSE(UsesColor("auto", !kTerminal, {.term = "xterm"}));
  EXPECT_FALSE(UsesColor("auto", kTerminal, {.term = "dumb"}));
  EXPECT_TRUE(UsesColor("auto", kTerminal, {}));
}

TEST(ColorChoice, HeedsTheEnvironment) {
  EXPECT_FALSE(UsesColor("auto", kTerminal, {.no_color = "1"}));
  EXPECT_TRUE(UsesColor("auto", kTerminal, {.no_color = ""}));
  EXPECT_FALSE(UsesColor("auto", kTerminal, {.clicolor = "0"}));
  EXPECT_TRUE(UsesColor("auto", !kTerminal, {.clicolor_force = "1"}));
  EXPECT_FALSE(UsesColor("auto", !kTerminal, {.clicolor_force = "0"}));
  EXPECT_FALSE(UsesColor("auto", !kTerminal, {.no_color = "1", .clicolor_force = "1"}));
}

TEST(ColorChoice, TheOptionWins) {
  EXPECT_TRUE(UsesColor("always", !kTerminal, {.no_color = "1", .term = "dumb"}));
  EXPECT_FALSE(UsesColor("never", kTerminal, {.clicolor_force = "1"}));
}

}  // namespace
}  // namespace perfgate::cli
