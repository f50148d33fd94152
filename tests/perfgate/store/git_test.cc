// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/process.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A repository of one commit, current folder while the test runs: "kept/a.json" and
// "kept/b/c.json".
class Git : public testing::Test {
 protected:
  Git() : before_(fs::current_path()) {
    fs::current_path(repository_.path());
    fs::create_directories("kept/b");
    write("kept/a.json", "{}\n");
    write("kept/b/c.json", std::string("\0\r\n\xFF", 4));
    git({"init", "-q"});
    commit();
  }
  ~Git() override { fs::current_path(before_); }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static void git(const std::vector<std::string>& arguments) {
    SpawnOptions options;
    options.path = "/usr/bin/env";
    options.args = {"git", "-c", "user.name=n", "-c", "user.email=e@e"};
    options.args.insert(options.args.end(), arguments.begin(), arguments.end());
    ChildProcess child(options);
    ASSERT_TRUE(child.wait_exit(Deadline::in(60)));
    ASSERT_TRUE(child.status().ok()) << child.output_tail();
  }
  static void commit() {
    git({"add", "-A"});
    git({"commit", "-q", "-m", "m"});
  }
  std::string refusal(const std::string& ref, const std::string& path) {
    try {
      export_tree(ref, path, target_.path());
    } catch (const Error& error) {
      return error.what();
    }
    return "exported";
  }

  fs::path before_;
  PrivateFolder repository_{"perfgate-test-"};
  PrivateFolder target_{"perfgate-test-"};
};

TEST_F(Git, KnowsTheCommitAndWhatDiffersFromIt) {
  const auto clean = working_tree();
  ASSERT_TRUE(clean);
  EXPECT_THAT(clean->commit, SizeIs(40));
  EXPECT_THAT(clean->changed, IsEmpty());
  write("kept/a.json", "[]");
  fs::create_directory("new");
  write("new/untracked", "");
  const auto dirty = working_tree();
  EXPECT_EQ(dirty->commit, clean->commit);
  EXPECT_THAT(dirty->changed, ElementsAre("kept/a.json", "new/untracked"));
  EXPECT_THAT(working_tree({"new", "/elsewhere"})->changed, ElementsAre("kept/a.json"));
}

TEST_F(Git, LooksAtTheWholeRepositoryFromAnyFolder) {
  write("kept/a.json", "[]");
  fs::current_path("kept/b");
  EXPECT_THAT(working_tree()->changed, ElementsAre("kept/a.json"));
}

TEST_F(Git, OutsideOfARepositoryThereIsNoWorkingTree) {
  fs::current_path(target_.path());
  testing::internal::CaptureStderr();
  EXPECT_FALSE(working_tree());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Git, ExportsWhatAPathHoldsAtARevision) {
  write("kept/a.json", "later");
  commit();
  EXPECT_EQ(export_tree("HEAD~1", "kept", target_.path()), 2U);
  EXPECT_EQ(read_file_text(target_.file("kept/a.json")), "{}\n");
  EXPECT_EQ(read_file_text(target_.file("kept/b/c.json")), std::string("\0\r\n\xFF", 4));
}

TEST_F(Git, SaysWhyNothingCanBeExported) {
  testing::internal::CaptureStderr();
  EXPECT_THAT(refusal("nowhere", "kept"), HasSubstr("git does not know this revision"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("nowhere")) << "git's own words";
  EXPECT_THAT(refusal("HEAD", "absent"), HasSubstr("nothing at this path"));
  EXPECT_THAT(refusal("--upload-pack=x", "kept"), HasSubstr("no revision of git"));
  EXPECT_THAT(refusal("", "kept"), HasSubstr("no revision of git"));
}

}  // namespace
}  // namespace perfgate::store
