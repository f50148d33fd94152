// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/executable_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

const std::string kDigest = "sha256:" + std::string(64, 'a');

class ExecutableCacheTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content) const {
    const fs::path path = folder_.file(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << content;
    ::chmod(path.c_str(), 0755);
    return path.string();
  }
  static std::string Read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::string Cache() const { return folder_.file("cache"); }

  PrivateFolder folder_{"perfgate-test-"};
};

TEST_F(ExecutableCacheTest, AloneItLiesUnderItsDigest) {
  cache_executable(Cache(), kDigest, Write("build/bench", "program"));
  const auto cached = cached_executable(Cache(), kDigest);
  ASSERT_TRUE(cached);
  EXPECT_EQ(*cached, Cache() + "/" + std::string(64, 'a') + "/bench");
  EXPECT_EQ(Read(*cached), "program");
  EXPECT_FALSE(cached_executable(Cache(), "sha256:" + std::string(64, 'b')));
  EXPECT_THROW(cached_executable(Cache(), "sha256:../../etc"), Error);
}

TEST_F(ExecutableCacheTest, LibrariesKeepTheirPlaceBesideIt) {
  const std::string program = Write("build/bin/deep/bench", "program");
  const std::string library = Write("build/lib/libsort.so", "sort");
  const std::string beside = Write("build/bin/deep/libbeside.so.1", "beside");
  // As the loader writes a run path of $ORIGIN/../../lib.
  const std::string as_resolved = folder_.file("build/bin/deep/../../lib/libsort.so");
  cache_executable(Cache(), kDigest, program, {as_resolved, beside});
  fs::remove_all(folder_.file("build"));
  const auto cached = cached_executable(Cache(), kDigest);
  ASSERT_TRUE(cached);
  EXPECT_FALSE(fs::is_symlink(*cached)) << "$ORIGIN would be the folder of the link";
  const fs::path origin = fs::path(*cached).parent_path();
  EXPECT_EQ(Read(*cached), "program");
  EXPECT_EQ(Read(origin / "../../lib/libsort.so"), "sort");
  EXPECT_EQ(Read(origin / "libbeside.so.1"), "beside");
}

TEST_F(ExecutableCacheTest, ALinkToTheProgramIsCachedByWhereTheProgramLies) {
  const std::string program = Write("build/bin/bench", "program");
  const std::string library = Write("build/lib/libsort.so", "sort");
  fs::create_symlink(program, folder_.file("bench_link"));
  cache_executable(Cache(), kDigest, folder_.file("bench_link"), {library});
  const auto cached = cached_executable(Cache(), kDigest);
  ASSERT_TRUE(cached);
  EXPECT_EQ(Read(fs::path(*cached).parent_path() / "../lib/libsort.so"), "sort");
}

TEST_F(ExecutableCacheTest, AnEntryWithoutItsLibrariesIsCompleted) {
  const std::string program = Write("build/bin/bench", "program");
  const std::string library = Write("build/bin/libsort.so", "sort");
  cache_executable(Cache(), kDigest, program);  // as earlier releases did
  cache_executable(Cache(), kDigest, program, {library});
  const auto cached = cached_executable(Cache(), kDigest);
  ASSERT_TRUE(cached);
  EXPECT_EQ(Read(fs::path(*cached).parent_path() / "libsort.so"), "sort");
  // A cache that lost the tree and kept the link has nothing.
  fs::remove_all(Cache() + "/" + std::string(64, 'a') + "/tree");
  EXPECT_FALSE(cached_executable(Cache(), kDigest));
  cache_executable(Cache(), kDigest, program, {library});
  EXPECT_TRUE(cached_executable(Cache(), kDigest));
}

}  // namespace
}  // namespace perfgate::store
