// SPDX-License-Identifier: Apache-2.0
// link_runner.h: runs link commands, several at once.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/layouts.h"

namespace perfgate::layouts {

// Commands that must follow each other, such as the shared libraries of a layout and then it.
struct LinkJob {
  int seed = 0;
  std::vector<LinkCommand> commands;
};

// Called after each job.
using LinkProgress = std::function<void(std::size_t done, std::size_t all)>;

// Runs all jobs, at most `at_once` at a time. Error(kFailed) with the linker's last words when one
// fails or takes longer than ten minutes; the others are ended then. Throws Interrupted.
void RunLinks(std::span<const LinkJob> jobs, std::size_t at_once, const LinkProgress& progress);

// The linker's complaint when the command fails; empty when it succeeds.
std::string TryLink(const LinkCommand& command);

// First line of what the program prints when asked for its version; empty where it cannot be asked.
std::string VersionOf(const std::string& program);

}  // namespace perfgate::layouts
