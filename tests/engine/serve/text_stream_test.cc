// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/text_stream.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// What comes out when `bytes` go in one at a time, with a bar where the stream was ended.
std::string ByByte(TextStream stream, std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += stream.Push({&byte, 1});
  }
  return text + "|" + stream.Finish();
}

TEST(TextStream, CharactersComeWhole) {
  EXPECT_EQ(ByByte(TextStream(), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"),
            "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z|");
  TextStream stream;
  EXPECT_EQ(stream.Push("\xe2\x82"), "");
  EXPECT_EQ(stream.Push("\xac"), "\xe2\x82\xac");
  EXPECT_EQ(stream.Push("\xe2\x82"), "");
  EXPECT_EQ(stream.Finish(), "\xef\xbf\xbd\xef\xbf\xbd") << "the rest of it never came";
}

std::string Whole(std::string_view bytes) {
  TextStream stream;
  return stream.Push(bytes) + stream.Finish();
}

TEST(TextStream, BytesOfNoCharacterAreReplaced) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(Whole("a\xff"), "a" + bad);
  EXPECT_EQ(Whole("\xc0\xaf"), bad + bad) << "a longer form of '/'";
  EXPECT_EQ(Whole("\xe0\x80\xaf"), bad + bad + bad);
  EXPECT_EQ(Whole("\xed\xa0\x80"), bad + bad + bad) << "a surrogate";
  EXPECT_EQ(Whole("\xf4\x90\x80\x80"), bad + bad + bad + bad) << "past U+10FFFF";
  EXPECT_EQ(Whole("\xe2\x82z"), bad + bad + "z");
  EXPECT_EQ(ByByte(TextStream(), "\xe2\x82z\x80"), bad + bad + "z" + bad + "|");
}

TEST(TextStream, EndsBeforeTheFirstStop) {
  EXPECT_EQ(ByByte(TextStream({"END"}), "one END two"), "one |");
  EXPECT_EQ(ByByte(TextStream({"END"}), "one EN"), "one |EN") << "held back until it is certain";
  EXPECT_EQ(ByByte(TextStream({"aab"}), "aaab"), "a|") << "a start inside a start";
  EXPECT_EQ(ByByte(TextStream({"xyz", "\n\n"}), "a\nb\n\nxyz"), "a\nb|");
  EXPECT_EQ(ByByte(TextStream({""}), "abc"), "abc|");
  TextStream stream({"b", "abc"});
  EXPECT_EQ(stream.Push("xxabc"), "xx") << "the one that begins first wins";
  EXPECT_TRUE(stream.stopped());
  EXPECT_EQ(stream.Push("more"), "");
}

}  // namespace
}  // namespace engine
