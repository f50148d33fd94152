// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/shell_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ShellWords, AreThoseOfAShell) {
  EXPECT_THAT(SplitShellWords("", "--args"), IsEmpty());
  EXPECT_THAT(SplitShellWords(" a  b\tc\n", "--args"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitShellWords(R"('a b' "c 'd'" e\ f)", "--args"),
              ElementsAre("a b", "c 'd'", "e f"));
  EXPECT_THAT(SplitShellWords(R"(--x='1 2'3 '' "\"\\\n")", "--args"),
              ElementsAre("--x=1 23", "", R"("\\n)"));
  EXPECT_THAT(SplitShellWords("$HOME *.cc ; a|b", "--args"),
              ElementsAre("$HOME", "*.cc", ";", "a|b"));
}

TEST(ShellWords, WhatIsOpenIsRefused) {
  for (const char* text : {"'", "a 'b", "\"a\\\"", "a\\"}) {
    EXPECT_THROW(SplitShellWords(text, "--args"), Error) << text;
  }
}

TEST(ShellWords, ALineGivesItsWordsBack) {
  std::mt19937_64 random(1);
  constexpr std::string_view kCharacters = "ab \t\n'\"\\$;*=-\x7f\xc3";
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> words(random() % 4);
    for (std::string& word : words) {
      for (std::size_t length = random() % 6; length > 0; --length) {
        word += kCharacters[random() % kCharacters.size()];
      }
    }
    EXPECT_EQ(SplitShellWords(ShellLine(words), "--args"), words);
  }
}

}  // namespace
}  // namespace perfgate
