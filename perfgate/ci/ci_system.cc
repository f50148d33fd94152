// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/ci_system.h"

#include <cstdlib>
#include <string_view>

namespace perfgate::ci {
namespace {

// "refs/pull/17/merge" as "17".
std::string NumberIn(const std::string& ref) {
  constexpr std::string_view kPull = "refs/pull/";
  if (!ref.starts_with(kPull)) return "";
  return ref.substr(kPull.size(), ref.find('/', kPull.size()) - kPull.size());
}

using Variable = std::function<std::string(const char*)>;

std::string RunOfGitHub(const Variable& variable) {
  const std::string server = variable("GITHUB_SERVER_URL");
  const std::string run = variable("GITHUB_RUN_ID");
  if (server.empty() || run.empty()) return "";
  return server + "/" + variable("GITHUB_REPOSITORY") + "/actions/runs/" + run;
}

}  // namespace

CiSystem CiSystemOf(const std::function<std::string(const char*)>& variable) {
  if (variable("GITHUB_ACTIONS") == "true") {
    return {.host = Host::kGitHub,
            .target = variable("GITHUB_BASE_REF"),
            .change = NumberIn(variable("GITHUB_REF")),
            .project = variable("GITHUB_REPOSITORY"),
            .api = variable("GITHUB_API_URL"),
            .run_url = RunOfGitHub(variable),
            .summary_file = variable("GITHUB_STEP_SUMMARY")};
  }
  if (variable("GITLAB_CI") == "true") {
    const std::string of_request = variable("CI_MERGE_REQUEST_PROJECT_ID");
    return {.host = Host::kGitLab,
            .target = variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
            .change = variable("CI_MERGE_REQUEST_IID"),
            .project = of_request.empty() ? variable("CI_PROJECT_ID") : of_request,
            .api = variable("CI_API_V4_URL"),
            .ca_file = variable("CI_SERVER_TLS_CA_FILE"),
            .run_url = variable("CI_JOB_URL")};
  }
  return {};
}

CiSystem CiSystemHere() {
  return CiSystemOf([](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  });
}

}  // namespace perfgate::ci
