// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/ci_system.h"

#include <gtest/gtest.h>

#include <map>

namespace perfgate::ci {
namespace {

CiSystem SystemWith(const std::map<std::string, std::string>& variables) {
  return CiSystemOf([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  });
}

TEST(CiSystem, NoneWithoutItsOwnWord) {
  const CiSystem none = SystemWith({{"GITHUB_REPOSITORY", "o/r"}, {"CI_PROJECT_ID", "7"}});
  EXPECT_EQ(none.host, Host::kNone);
  EXPECT_EQ(none.project, "");
}

TEST(CiSystem, PullRequestOfGitHub) {
  const CiSystem job = SystemWith({{"GITHUB_ACTIONS", "true"},
                                   {"GITHUB_BASE_REF", "main"},
                                   {"GITHUB_REF", "refs/pull/17/merge"},
                                   {"GITHUB_REPOSITORY", "o/r"},
                                   {"GITHUB_SERVER_URL", "https://code.example"},
                                   {"GITHUB_RUN_ID", "9"}});
  EXPECT_EQ(job.host, Host::kGitHub);
  EXPECT_EQ(job.target, "main");
  EXPECT_EQ(job.change, "17");
  EXPECT_EQ(job.run_url, "https://code.example/o/r/actions/runs/9");
}

TEST(CiSystem, PushToGitHubHasNoChange) {
  const CiSystem job = SystemWith({{"GITHUB_ACTIONS", "true"}, {"GITHUB_REF", "refs/heads/17"}});
  EXPECT_EQ(job.change, "");
  EXPECT_EQ(job.target, "");
}

TEST(CiSystem, MergeRequestOfGitLabBelongsToTheProjectThatItGoesTo) {
  std::map<std::string, std::string> variables = {{"GITLAB_CI", "true"},
                                                  {"CI_PROJECT_ID", "8"},
                                                  {"CI_MERGE_REQUEST_IID", "5"},
                                                  {"CI_API_V4_URL", "https://lab.example/api/v4"}};
  EXPECT_EQ(SystemWith(variables).project, "8");
  variables["CI_MERGE_REQUEST_PROJECT_ID"] = "7";
  const CiSystem job = SystemWith(variables);
  EXPECT_EQ(job.host, Host::kGitLab);
  EXPECT_EQ(job.project, "7");
  EXPECT_EQ(job.change, "5");
}

}  // namespace
}  // namespace perfgate::ci
