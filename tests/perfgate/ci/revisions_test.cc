// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/revisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/base/error.h"
#include "tests/perfgate/ci/scratch_repository.h"

namespace perfgate::ci {
namespace {

using ::testing::HasSubstr;

std::string Chosen(const ScratchRepository& repo, const std::string& target = "") {
  return ChooseBase(repo.path(), "", target).commit;
}

std::string WhyNot(const std::string& repo, const std::string& named = "",
                   const std::string& target = "") {
  try {
    return "chose " + ChooseBase(repo, named, target).commit;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Revisions, OnTheDefaultBranch) {
  const ScratchRepository repo;
  repo.Write("file", "one");
  EXPECT_EQ(ChooseBase(repo.path(), "", "").reason, "there is no commit yet");
  const std::string first = repo.Commit("first");
  EXPECT_EQ(Chosen(repo), "");  // the first commit has no base
  repo.Write("file", "two");
  EXPECT_EQ(Chosen(repo), first);  // changed: HEAD
  const std::string second = repo.Commit("second");
  EXPECT_EQ(Chosen(repo), first);  // clean: HEAD~1
  repo.Write("new", "a new file is a change");
  EXPECT_EQ(Chosen(repo), second);
  EXPECT_EQ(ChooseBase(repo.path(), "HEAD~1", "").commit, first);
  EXPECT_THAT(WhyNot(repo.path(), "nonsense"), HasSubstr("--base nonsense"));
  EXPECT_THAT(WhyNot(repo.path(), "--all"), HasSubstr("--base --all"));
}

TEST(Revisions, OnAFeatureBranchTheMergeBase) {
  const ScratchRepository repo;
  const std::string base = repo.Commit("base");
  repo.Git({"checkout", "-q", "-b", "feature"});
  repo.Write("file", "x");
  const std::string change = repo.Commit("change");
  EXPECT_EQ(Chosen(repo), base);
  repo.Write("file", "dirty or not");
  EXPECT_EQ(Chosen(repo), base);
  repo.Git({"checkout", "-q", "--", "file"});
  repo.Git({"checkout", "-q", "main"});
  const std::string ahead = repo.Commit("main goes on");
  repo.Git({"checkout", "-q", "feature"});
  EXPECT_EQ(Chosen(repo), base);
  repo.Git({"merge", "-q", "--no-edit", "main"});
  EXPECT_EQ(Chosen(repo), ahead);
  // As CI systems do: detached, off and at the tip of the branch that the change goes to.
  repo.Git({"checkout", "-q", "--detach", "feature"});
  EXPECT_EQ(Chosen(repo), ahead);
  repo.Git({"checkout", "-q", "--detach", "main"});
  EXPECT_EQ(Chosen(repo), base);
  repo.Git({"checkout", "-q", "feature"});
  repo.Git({"branch", "-q", "release", base});
  EXPECT_EQ(Chosen(repo, "release"), base);
  EXPECT_THAT(WhyNot(repo.path(), "", "gone"), HasSubstr("git fetch origin gone"));
}

TEST(Revisions, RefusesWhatCannotBeKnown) {
  const ScratchRepository trunk("trunk");
  trunk.Commit("one");
  EXPECT_THAT(WhyNot(trunk.path()), HasSubstr("--base"));
  const ScratchRepository repo;
  repo.Commit("one");
  repo.Commit("two");
  const std::string shallow = repo.file("shallow");
  repo.Git({"clone", "-q", "--depth", "1", "file://" + repo.path(), shallow});
  EXPECT_THAT(WhyNot(shallow), HasSubstr("--unshallow"));
  repo.Git({"checkout", "-q", "--orphan", "alone"});
  repo.Commit("alone");
  EXPECT_THAT(WhyNot(repo.path()), HasSubstr("no common ancestor"));
  EXPECT_THAT(WhyNot("/"), HasSubstr("no repository"));
}

TEST(Revisions, FilesOfCommits) {
  const ScratchRepository repo;
  repo.Write("perf/accept.json", "old\n");
  std::filesystem::create_symlink("accept.json", repo.file("perf/link"));
  const std::string commit = repo.Commit("one");
  repo.Write("perf/accept.json", "new\n");
  EXPECT_EQ(FileAt(repo.path(), commit, "perf/accept.json"), "old\n");
  for (const char* path : {"perf", "perf/link", "perf/none", "../x", ""}) {
    EXPECT_FALSE(FileAt(repo.path(), commit, path)) << path;
  }
}

TEST(Revisions, NamedTargets) {
  const ScratchRepository repo;
  repo.Write("CMakeLists.txt", "add_executable(my_bench_old x.cc)\n");
  const std::string before = repo.Commit("one");
  repo.Write("sub/CMakeLists.txt", "add_executable(my_bench x.cc)\n");
  EXPECT_FALSE(NamesTarget(repo.path(), before, "my_bench"));
  EXPECT_TRUE(NamesTarget(repo.path(), "", "my_bench"));
  EXPECT_TRUE(NamesTarget(repo.path(), repo.Commit("two"), "my_bench"));
}

}  // namespace
}  // namespace perfgate::ci
