// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/source_trees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/ci/scratch_repository.h"

namespace perfgate::ci {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void Silent(const std::string&) {}

std::vector<std::string> FilesBelow(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class SourceTrees : public ::testing::Test {
 protected:
  std::string Text(const std::string& name) const {
    return read_small_file(out_.file("src/" + name));
  }

  ScratchRepository repo_;
  PrivateFolder out_{"perfgate-trees-test-"};
  std::string tree_ = out_.file("src");
};

TEST_F(SourceTrees, CommitAndWorkingTree) {
  repo_.Write("with space/file", "old");
  repo_.Write("gone", "x");
  repo_.Write(".gitignore", "ignored\n");
  fs::create_symlink("gone", repo_.file("link"));
  const std::string commit = repo_.Commit("one");
  repo_.Write("with space/file", "new");
  repo_.Write("untracked", "y");
  repo_.Write("ignored", "z");
  fs::remove(repo_.file("gone"));
  ExportRevision(repo_.path(), commit, tree_, Silent);
  EXPECT_THAT(FilesBelow(tree_), ElementsAre(".gitignore", "gone", "link", "with space/file"));
  EXPECT_EQ(Text("with space/file"), "old");
  fs::remove_all(tree_);
  ExportWorkingTree(repo_.path(), tree_, Silent);
  EXPECT_THAT(FilesBelow(tree_), ElementsAre(".gitignore", "link", "untracked", "with space/file"));
  EXPECT_EQ(Text("with space/file"), "new");
}

TEST_F(SourceTrees, Submodules) {
  const ScratchRepository module;
  module.Write("part.cc", "old");
  module.Commit("one");
  repo_.Git({"submodule", "--quiet", "add", "file://" + module.path(), "sub/part"});
  const std::string commit = repo_.Commit("with a part");
  ExportRevision(repo_.path(), commit, tree_, Silent);
  EXPECT_EQ(Text("sub/part/part.cc"), "old");
  fs::remove_all(tree_);
  repo_.Write("sub/part/part.cc", "new");
  ExportWorkingTree(repo_.path(), tree_, Silent);
  EXPECT_EQ(Text("sub/part/part.cc"), "new");
  // In a clone without them it is said.
  const std::string clone = out_.file("clone");
  repo_.Git({"clone", "-q", repo_.path(), clone});
  std::vector<std::string> said;
  const Say say = [&](const std::string& text) { said.push_back(text); };
  fs::remove_all(tree_);
  ExportWorkingTree(clone, tree_, say);
  fs::remove_all(tree_);
  ExportRevision(clone, commit, tree_, say);
  EXPECT_THAT(said, ElementsAre(HasSubstr("submodule sub/part"), HasSubstr("submodule sub/part")));
}

TEST_F(SourceTrees, SuiteOfATrustedCommit) {
  repo_.Write("bench.cc", "trusted");
  repo_.Write("lib/CMakeLists.txt", "trusted");
  repo_.Write("lib/old.cc", "trusted");
  const std::string trusted = repo_.Commit("trusted");
  repo_.Write("bench.cc", "own");
  repo_.Write("lib/CMakeLists.txt", "own");
  repo_.Write("lib/flags.mk", "own");
  repo_.Write("lib/new.cc", "own");
  fs::remove(repo_.file("lib/old.cc"));
  ExportWorkingTree(repo_.path(), tree_, Silent);
  TakeSuite(repo_.path(), trusted, {"lib"}, tree_, Silent);
  EXPECT_THAT(FilesBelow(tree_), ElementsAre("bench.cc", "lib/CMakeLists.txt", "lib/new.cc"));
  EXPECT_EQ(Text("bench.cc"), "trusted");
  EXPECT_EQ(Text("lib/CMakeLists.txt"), "trusted");
  EXPECT_EQ(Text("lib/new.cc"), "own");
  for (const char* outside : {"/etc", "../x", ".", "lib/../../x"}) {
    EXPECT_THROW(TakeSuite(repo_.path(), trusted, {outside}, tree_, Silent), Error) << outside;
  }
}

TEST_F(SourceTrees, LibrariesThatAreLinksAreRefused) {
  repo_.Write("lib/a.cc", "trusted");
  const std::string trusted = repo_.Commit("trusted");
  fs::remove_all(repo_.file("lib"));
  fs::create_directory_symlink("/etc", repo_.file("lib"));
  ExportWorkingTree(repo_.path(), tree_, Silent);
  EXPECT_THROW(TakeSuite(repo_.path(), trusted, {"lib"}, tree_, Silent), Error);
}

TEST_F(SourceTrees, DataOfACommit) {
  repo_.Write("data/words.txt", "old");
  repo_.Write("more/deep/one", "1");
  repo_.Write("code.cc", "x");
  const std::string commit = repo_.Commit("one");
  repo_.Write("data/words.txt", "new");
  ExportData(repo_.path(), commit, {"data", "more/deep/one"}, tree_, Silent);
  EXPECT_THAT(FilesBelow(tree_), ElementsAre("data/words.txt", "more/deep/one"));
  EXPECT_EQ(Text("data/words.txt"), "old");
  EXPECT_THROW(ExportData(repo_.path(), commit, {"none"}, tree_, Silent), Error);
}

}  // namespace
}  // namespace perfgate::ci
