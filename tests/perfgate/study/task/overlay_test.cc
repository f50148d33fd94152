// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/overlay.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class OverlayTest : public ::testing::Test {
 protected:
  OverlayTest() { Write(overlay_ / "bench/main.cc", "ours"); }

  PrivateFolder folder_{"overlay-test-"};
  fs::path overlay_ = folder_.file("overlay");
  fs::path tree_ = folder_.file("tree");
};

TEST_F(OverlayTest, ItsFilesTakeThePlaceOfTheTrees) {
  Write(tree_ / "bench/main.cc", "the change's");
  Write(tree_ / "bench/other.cc", "stays");
  LayOver(overlay_, tree_);
  EXPECT_EQ(read_file_text(tree_ / "bench/main.cc"), "ours");
  EXPECT_EQ(read_file_text(tree_ / "bench/other.cc"), "stays");
}

TEST_F(OverlayTest, NothingIsWrittenThroughALinkOfTheTree) {
  Write(folder_.file("outside/main.cc"), "not to be touched");
  fs::create_directories(tree_);
  fs::create_directory_symlink(folder_.file("outside"), tree_ / "bench");
  LayOver(overlay_, tree_);
  EXPECT_EQ(read_file_text(folder_.file("outside/main.cc")), "not to be touched");
  EXPECT_EQ(read_file_text(tree_ / "bench/main.cc"), "ours");

  fs::remove(tree_ / "bench/main.cc");
  fs::create_symlink(folder_.file("outside/main.cc"), tree_ / "bench/main.cc");
  LayOver(overlay_, tree_);
  EXPECT_EQ(read_file_text(folder_.file("outside/main.cc")), "not to be touched");
}

TEST_F(OverlayTest, AFolderOrAFileInTheWayIsReplaced) {
  Write(tree_ / "bench", "a file");
  LayOver(overlay_, tree_);
  EXPECT_EQ(read_file_text(tree_ / "bench/main.cc"), "ours");
  fs::remove_all(tree_ / "bench/main.cc");
  Write(tree_ / "bench/main.cc/x", "a folder");
  LayOver(overlay_, tree_);
  EXPECT_EQ(read_file_text(tree_ / "bench/main.cc"), "ours");
}

TEST_F(OverlayTest, TheDigestFollowsNamesModesAndBytes) {
  const std::string first = DigestOfOverlay(overlay_);
  EXPECT_EQ(DigestOfOverlay(overlay_), first);
  fs::permissions(overlay_ / "bench/main.cc", fs::perms::owner_exec, fs::perm_options::add);
  const std::string executable = DigestOfOverlay(overlay_);
  EXPECT_NE(executable, first);
  Write(overlay_ / "bench/main.cc", "ours, newer");
  const std::string newer = DigestOfOverlay(overlay_);
  EXPECT_NE(newer, executable);
  fs::rename(overlay_ / "bench/main.cc", overlay_ / "bench/main.cpp");
  EXPECT_NE(DigestOfOverlay(overlay_), newer);
}

TEST_F(OverlayTest, RefusesWhatIsNoFolderOfFiles) {
  EXPECT_THROW(DigestOfOverlay(folder_.file("missing")), Error);
  EXPECT_THROW(DigestOfOverlay((overlay_ / "bench/main.cc").string()), Error);
  fs::create_directories(folder_.file("empty"));
  EXPECT_THROW(DigestOfOverlay(folder_.file("empty")), Error);
  ASSERT_EQ(::mkfifo((overlay_ / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(DigestOfOverlay(overlay_), Error);
}

}  // namespace
}  // namespace perfgate::study
