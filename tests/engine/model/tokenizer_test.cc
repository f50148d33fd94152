// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/model/text_file.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Tokenizer, IdsAreBytes) {
  const TempFolder folder;
  WriteByteTokenizer(folder.path(), 300);
  const ByteTokenizer tokenizer(folder.path());
  EXPECT_THAT(tokenizer.Encode("A\xc3\xa9"), ElementsAre('A', 0xc3, 0xa9));
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
  }
  EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(all)), all);
  EXPECT_EQ(tokenizer.Decode(std::vector<std::int32_t>{'a', 256, -1, 'b'}), "ab");
}

TEST(Tokenizer, TheFileHasTheAlphabetOfGpt2) {
  const TempFolder folder;
  WriteByteTokenizer(folder.path(), 256);
  const auto vocab = ReadJson(folder / "tokenizer.json")["model"]["vocab"];
  EXPECT_EQ(vocab.size(), 256U);
  EXPECT_EQ(vocab["A"], 'A');
  EXPECT_EQ(vocab["\u0120"], ' ');
  EXPECT_EQ(vocab["\u010a"], '\n');
  EXPECT_EQ(vocab["\u00e9"], 0xe9);
  EXPECT_EQ(vocab["\u0143"], 0xad);
}

TEST(Tokenizer, OtherVocabulariesAreRefused) {
  const TempFolder folder;
  EXPECT_THAT(ErrorOf([&] { ByteTokenizer t(folder.path()); }), HasSubstr("--prompt-ids"));
  perfgate::write_file_atomically(folder / "tokenizer.json",
                                  R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}})");
  EXPECT_THAT(ErrorOf([&] { ByteTokenizer t(folder.path()); }),
              HasSubstr("no byte-level vocabulary"));
  perfgate::write_file_atomically(folder / "tokenizer.json", R"({"model":7})");
  EXPECT_THAT(ErrorOf([&] { ByteTokenizer t(folder.path()); }),
              HasSubstr("no byte-level vocabulary"));
  EXPECT_THAT(ErrorOf([&] { WriteByteTokenizer(folder.path(), 255); }), HasSubstr("256 bytes"));
}

}  // namespace
}  // namespace engine
