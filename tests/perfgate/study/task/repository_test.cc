// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/repository.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::study {
namespace {

class RepositoryTest : public ::testing::Test {
 protected:
  RepositoryTest() {
    const std::string script = "cd " + folder_.path() +
                               " && git init -q repo && cd repo && echo one > a && mkdir b && "
                               "echo two > b/c && echo 'b export-ignore' > .gitattributes && "
                               "git add -A && git -c user.name=t -c user.email=t@t commit -qm x && "
                               "cd .. && git clone -q --bare repo bare";
    if (std::system(script.c_str()) != 0) throw Error(Exit::kInternal, "git does not work here");
  }

  std::string Export(const std::string& repo) {
    const auto commits = ResolveCommits(folder_.file(repo), {"HEAD"}, folder_.file("names"));
    const std::string tree = folder_.file("tree-of-" + repo);
    ExportCommit(folder_.file(repo), commits.at("HEAD"), tree, folder_.file("index"));
    return read_file_text(tree + "/a") + read_file_text(tree + "/b/c");
  }

  PrivateFolder folder_{"repository-test-"};
};

TEST_F(RepositoryTest, ExportsAllFiles) { EXPECT_EQ(Export("repo"), "one\ntwo\n"); }

TEST_F(RepositoryTest, ExportsFromARepositoryWithoutAWorkTree) {
  EXPECT_EQ(Export("bare"), "one\ntwo\n");
}

TEST_F(RepositoryTest, UnknownNamesAreLeftOut) {
  const auto commits =
      ResolveCommits(folder_.file("repo"), {"HEAD", "nothing"}, folder_.file("names"));
  EXPECT_EQ(commits.size(), 1U);
  EXPECT_THROW(ResolveCommits(folder_.path(), {"HEAD"}, folder_.file("names")), Error);
}

}  // namespace
}  // namespace perfgate::study
