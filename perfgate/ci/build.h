// SPDX-License-Identifier: Apache-2.0
// build.h: from a source tree to a benchmark executable, the same way for base and head.
//
//   OUTPUT/base/src   OUTPUT/head/src     the trees, at paths of one length
//   OUTPUT/base.log   OUTPUT/head.log     what the builds print
//   OUTPUT/base.json                      what the base was built from, for the next run
#pragma once

#include <string>
#include <vector>

#include "perfgate/study/arm/box.h"
#include "perfgate/study/arm/log_lines.h"

namespace perfgate::ci {

struct BuildPlan {
  // With CMake: the target, the folder of its project in the tree, and more arguments of cmake.
  std::string target{};
  std::string source = ".";
  std::string configure{};
  // Any other: a command for /bin/sh in the source tree, and the executable that it makes there.
  std::string command{};
  std::string bench{};
  double limit_s = 3600;
  double memory_mib = 16384;
  bool network = false;  // the build may fetch what it needs
  int jobs = 1;
};

// Error(kUsage) where the plan names neither a target nor a command with its executable, or both.
void RequireComplete(const BuildPlan& plan);

// What a shell runs in the source tree.
std::string BuildCommand(const BuildPlan& plan, const std::string& place);

enum class BuildEnd { kBuilt, kFailed, kNoExecutable };

struct BuiltArm {
  BuildEnd end = BuildEnd::kFailed;
  std::string executable{};  // where it was built
  std::string digest{};      // of it and its libraries
  std::string trouble{};     // "build exited with code 2"
  std::string log{};         // file
  std::vector<study::LogLine> lines{};
  double seconds = 0;
};

// Builds the tree OUTPUT/<arm>/src. Error(kData) for the machine's own trouble.
BuiltArm BuildArm(const BuildPlan& plan, const study::Boxes& boxes, const std::string& output,
                  const std::string& arm);

// The digest of an executable of this arm as it lies there now; empty: it cannot be run any more.
std::string DigestNow(const study::Boxes& boxes, const std::string& executable);

// What a build of these sources depends on, as one digest: the commit, the plan, the place, and the
// versions of the tools that this machine has.
std::string BuildKey(const BuildPlan& plan, const study::Boxes& boxes, const std::string& output,
                     const std::string& sources);

// The base of an earlier run with this key, where its executable still lies there unchanged; its
// `end` is kFailed otherwise.
BuiltArm FindBuiltBase(const study::Boxes& boxes, const std::string& output,
                       const std::string& key);
void KeepBuiltBase(const std::string& output, const std::string& key, const BuiltArm& base);

}  // namespace perfgate::ci
