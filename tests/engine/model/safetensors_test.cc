// SPDX-License-Identifier: Apache-2.0
// The reader takes what the writer wrote and refuses every mutation that breaks a rule.
#include "engine/model/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>

#include "engine/model/text_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

std::string FileOf(std::string_view header, std::size_t buffer) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + std::string(header) + std::string(buffer, 'x');
}

SafetensorsHeader Parse(const std::string& bytes) {
  return ParseSafetensors(std::as_bytes(std::span(bytes)), "m.safetensors");
}

std::string ParseError(const std::string& bytes) {
  return ErrorOf([&bytes] { Parse(bytes); });
}

std::string OneTensor(const std::string& fields, std::size_t buffer) {
  return FileOf(R"({"w":{)" + fields + "}}", buffer);
}

TEST(Safetensors, ReadsTensorsInBufferOrder) {
  const SafetensorsHeader header =
      Parse(FileOf(R"({"z":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                   R"("a":{"dtype":"BF16","shape":[],"data_offsets":[24,26]},)"
                   R"("e":{"dtype":"I64","shape":[0,18446744073709551615],"data_offsets":[24,24]},)"
                   R"("__metadata__":{"format":"pt"}}   )",
                   26));
  ASSERT_EQ(header.tensors.size(), 3U);
  EXPECT_EQ(header.tensors[0].name, "z");
  EXPECT_EQ(header.tensors[1].name, "e");
  EXPECT_EQ(header.tensors[2].name, "a");
  EXPECT_TRUE(header.tensors[2].shape.empty());
  EXPECT_EQ(header.metadata.at("format"), "pt");
}

TEST(Safetensors, RefusesWithTensorAndReason) {
  EXPECT_THAT(ParseError("1234567"), HasSubstr("7 bytes are too few"));
  EXPECT_THAT(ParseError(std::string(8, '\xff')), HasSubstr("over the limit of 100000000"));
  EXPECT_THAT(ParseError(FileOf("{}", 0).substr(0, 9)), HasSubstr("does not fit the file of 9"));
  EXPECT_THAT(ParseError(FileOf("[]", 0)), HasSubstr("does not start with '{'"));
  EXPECT_THAT(ParseError(FileOf(" {}", 0)), HasSubstr("does not start with '{'"));
  EXPECT_THAT(ParseError(FileOf("{", 0)), HasSubstr("not JSON"));
  EXPECT_THAT(ParseError(FileOf(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                R"("w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                                1)),
              HasSubstr(R"(the key "w" appears twice)"));
  EXPECT_THAT(ParseError(FileOf(R"({"__metadata__":{"n":1}})", 0)), HasSubstr("not text"));
  EXPECT_THAT(ParseError(FileOf(R"({"w":1})", 0)), HasSubstr(R"(tensor "w": not an object)"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"F31","shape":[],"data_offsets":[0,4])", 4)),
              HasSubstr(R"(tensor "w": unknown dtype "F31")"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])", 1)),
              HasSubstr("shape is not an array of unsigned"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[1],"data_offsets":[0,1.0])", 1)),
              HasSubstr("data_offsets is not an array of unsigned"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[1],"data_offsets":[0])", 1)),
              HasSubstr("1 numbers, expected 2"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,0])", 1)),
              HasSubstr("end before they begin"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[2],"data_offsets":[0,2])", 1)),
              HasSubstr("end past the buffer of 1 bytes"));
  EXPECT_THAT(ParseError(OneTensor(
                  R"("dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8])", 8)),
              HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])", 4)),
              HasSubstr("hold 4 bytes, dtype and shape need 8"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"F4","shape":[1],"data_offsets":[0,1])", 1)),
              HasSubstr("not whole bytes"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[1],"data_offsets":[0,1])", 3)),
              HasSubstr("no tensor covers the last 2 bytes"));
  EXPECT_THAT(ParseError(OneTensor(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])", 2)),
              HasSubstr(R"(a hole of 1 bytes before tensor "w")"));
  EXPECT_THAT(ParseError(FileOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                                3)),
              HasSubstr(R"(tensor "b" at [1, 3) overlaps tensor "a" at [0, 2))"));
}

class Written : public ::testing::Test {
 protected:
  void SetUp() override {
    WriteSafetensors(path_,
                     {{"byte", TensorType::kU8, {3}},
                      {"empty", TensorType::kF32, {0, 4}},
                      {"half", TensorType::kBf16, {5}},
                      {"wide", TensorType::kF32, {2, 2}}},
                     {{"seed", "7"}},
                     [](const TensorToWrite& tensor, std::uint64_t at, std::span<std::byte> out) {
                       for (std::size_t i = 0; i < out.size(); ++i) {
                         out[i] = static_cast<std::byte>(tensor.name[0] + static_cast<int>(at + i));
                       }
                     });
    bytes_ = ReadFile(path_);
  }

  TempFolder folder_;
  std::string path_ = folder_ / "m.safetensors";
  std::string bytes_;
};

TEST_F(Written, IsReadBackAligned) {
  const SafetensorsHeader header = Parse(bytes_);
  EXPECT_EQ(header.buffer_begin % 64, 0U);
  EXPECT_EQ(header.metadata.at("seed"), "7");
  ASSERT_EQ(header.tensors.size(), 4U);
  EXPECT_EQ(header.tensors[1].name, "wide") << "widest first; only the empty one has no size";
  for (const TensorInfo& tensor : header.tensors) {
    EXPECT_EQ(tensor.begin % (Bits(tensor.type) / 8), 0U) << tensor.name;
    for (std::uint64_t i = tensor.begin; i < tensor.end; ++i) {
      EXPECT_EQ(bytes_[static_cast<std::size_t>(header.buffer_begin + i)],
                static_cast<char>(tensor.name[0] + static_cast<int>(i - tensor.begin)));
    }
  }
}

TEST_F(Written, NothingElseIsLeftInTheFolder) {
  EXPECT_THROW(
      WriteSafetensors(path_, {{"w", TensorType::kU8, {1}}}, {},
                       [](auto&, auto, auto) { throw Error(Exit::kData, "source ended"); }),
      Error);
  EXPECT_EQ(ReadFile(path_), bytes_) << "a write that failed keeps the file that was there";
  const std::filesystem::directory_iterator files(folder_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(Written, EveryCutIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_NE(ParseError(bytes_.substr(0, size)), "no error") << size;
  }
}

// Whatever one byte of the header becomes, the reader ends in an Error or in tensors that cover the
// buffer.
TEST_F(Written, EveryByteOfTheHeaderMutated) {
  const std::size_t header_end = static_cast<std::size_t>(Parse(bytes_).buffer_begin);
  std::mt19937 random(1);
  int refused = 0;
  for (std::size_t at = 0; at < header_end; ++at) {
    for (int i = 0; i < 16; ++i) {
      std::string mutated = bytes_;
      mutated[at] = static_cast<char>(random());
      try {
        std::uint64_t covered = 0;
        const SafetensorsHeader header = Parse(mutated);
        for (const TensorInfo& tensor : header.tensors) {
          ASSERT_EQ(tensor.begin, covered);
          covered = tensor.end;
        }
        ASSERT_EQ(header.buffer_begin + covered, mutated.size());
      } catch (const Error& error) {
        ++refused;
        ASSERT_THAT(error.what(), HasSubstr("m.safetensors"));
      }
    }
  }
  EXPECT_GT(refused, static_cast<int>(header_end) * 8);
}

}  // namespace
}  // namespace engine
