// SPDX-License-Identifier: Apache-2.0
// ci_system.h: what GitHub Actions and GitLab CI say of a job in the variables that they define.
// Nothing else is read from the environment.
#pragma once

#include <functional>
#include <string>

namespace perfgate::ci {

enum class Host { kNone, kGitHub, kGitLab };

struct CiSystem {
  Host host = Host::kNone;
  std::string target{};        // branch that the change goes to; empty: no pull request
  std::string change{};        // number of the pull or merge request; empty: none
  std::string project{};       // "owner/name", or the number of a GitLab project
  std::string api{};           // address of the API
  std::string ca_file{};       // of a GitLab with a certificate of its own
  std::string run_url{};       // page of the run
  std::string summary_file{};  // Markdown that the page of the run shows
};

// variable: the value of a variable of the environment; empty: it is not set.
CiSystem CiSystemOf(const std::function<std::string(const char*)>& variable);

// Of this process.
CiSystem CiSystemHere();

}  // namespace perfgate::ci
