// SPDX-License-Identifier: Apache-2.0
#include "engine/model/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "engine/model/cut_file.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/errors.h"
#include "tests/engine/temp_folder.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

class CheckpointTest : public ::testing::Test {
 protected:
  void Write(const std::string& file, const std::vector<TensorToWrite>& tensors) {
    WriteSafetensors(folder_ / file, tensors, {},
                     [](const TensorToWrite& tensor, std::uint64_t, std::span<std::byte> out) {
                       for (std::byte& b : out) {
                         b = static_cast<std::byte>(tensor.name[0]);
                       }
                     });
  }
  void WriteIndex(const std::string& map) {
    perfgate::write_file_atomically(folder_ / "model.safetensors.index.json",
                                    R"({"weight_map":{)" + map + "}}");
  }
  std::string OpenError() {
    return ErrorOf([this] { Checkpoint opened(folder_.path()); });
  }

  TempFolder folder_;
};

TEST_F(CheckpointTest, OneFile) {
  Write("model.safetensors", {{"a", TensorType::kU8, {2, 3}}, {"b", TensorType::kF32, {1}}});
  const Checkpoint checkpoint(folder_.path());
  EXPECT_EQ(checkpoint.shards(), 1U);
  EXPECT_EQ(checkpoint.bytes(), 10U);
  const std::uint64_t shape[] = {2, 3};
  const Tensor& a = checkpoint.Get("a", shape);
  EXPECT_EQ(a.bytes.size(), 6U);
  EXPECT_EQ(a.bytes[5], std::byte{'a'});
  EXPECT_EQ(checkpoint.Find("c"), nullptr);
  const std::uint64_t other[] = {3, 2};
  EXPECT_THAT(ErrorOf([&] { checkpoint.Get("a", other); }),
              HasSubstr(R"(tensor "a" has shape [2, 3], config.json asks for [3, 2])"));
  EXPECT_THAT(ErrorOf([&] { checkpoint.Get("c", other); }), HasSubstr(R"(tensor "c" is missing)"));
}

TEST_F(CheckpointTest, Shards) {
  Write("one.safetensors", {{"a", TensorType::kU8, {1}}});
  Write("two.safetensors", {{"b", TensorType::kU8, {2}}});
  WriteIndex(R"("a":"one.safetensors","b":"two.safetensors")");
  const Checkpoint checkpoint(folder_.path());
  EXPECT_EQ(checkpoint.shards(), 2U);
  EXPECT_EQ(checkpoint.Find("b")->bytes.size(), 2U);
}

TEST_F(CheckpointTest, AnIndexThatDoesNotFitItsShards) {
  EXPECT_THAT(OpenError(), HasSubstr("neither model.safetensors nor"));
  Write("one.safetensors", {{"a", TensorType::kU8, {1}}});
  Write("two.safetensors", {{"b", TensorType::kU8, {2}}});
  WriteIndex(R"("a":"one.safetensors","b":"one.safetensors")");
  EXPECT_THAT(OpenError(), HasSubstr(R"(tensor "b" is not in one.safetensors)"));
  WriteIndex(R"("b":"one.safetensors","a":"two.safetensors")");
  EXPECT_THAT(OpenError(), HasSubstr(R"(tensor "a" is not in two.safetensors)"));
  WriteIndex(R"("a":"three.safetensors")");
  EXPECT_THAT(OpenError(), HasSubstr("three.safetensors: cannot be read"));
  WriteIndex(R"("a":"../one.safetensors")");
  EXPECT_THAT(OpenError(), HasSubstr("not the name of a file in this folder"));
  Write("two.safetensors", {{"a", TensorType::kU8, {2}}});
  WriteIndex(R"("a":"one.safetensors","c":"two.safetensors")");
  EXPECT_THAT(OpenError(), HasSubstr(R"(tensor "a" is also in)"));
}

TEST_F(CheckpointTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_ / "model.safetensors").c_str(), 0600), 0);
  EXPECT_THAT(OpenError(), HasSubstr("model.safetensors: cannot be read: not a regular file"));
}

TEST_F(CheckpointTest, AFileThatIsCutWhileMapped) {
  Write("model.safetensors", {{"a", TensorType::kU8, {100000}}});
  const Checkpoint checkpoint(folder_.path());
  const Tensor& a = *checkpoint.Find("a");
  std::filesystem::resize_file(folder_ / "model.safetensors", 4096);
  EXPECT_EXIT(
      {
        TellCutFiles();
        const volatile std::byte* const last = &a.bytes.back();
        std::exit(static_cast<int>(*last));
      },
      ::testing::ExitedWithCode(65), "engine: /.*/model.safetensors: has become shorter");
  std::vector<std::byte> read(100);
  EXPECT_EQ(a.file->file().ReadAt(4000, read), 96U) << "reading ends where the file does";
}

TEST_F(CheckpointTest, TheDigestFollowsTheHeader) {
  Write("model.safetensors", {{"a", TensorType::kU8, {1}}});
  const std::uint64_t first = Checkpoint(folder_.path()).digest();
  EXPECT_EQ(Checkpoint(folder_.path()).digest(), first);
  Write("model.safetensors", {{"b", TensorType::kU8, {1}}});
  EXPECT_NE(Checkpoint(folder_.path()).digest(), first);
}

}  // namespace
}  // namespace engine
