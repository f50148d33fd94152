// SPDX-License-Identifier: Apache-2.0
// box.h: runs one step of an arm (apply, build, test, try) where it can do no harm.
//
// With bubblewrap a step sees the system's programs and its own source tree, the only folder that
// it may change, and has no network unless it is given one. The tree has the same place for all
// arms of a task, so that equal sources give equal executables whatever the build writes into them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perfgate/measure/isolation/abilities.h"
#include "perfgate/measure/isolation/sandbox.h"

namespace perfgate::study {

struct BoxStep {
  std::string command{};  // for /bin/sh
  std::string tree{};     // folder that it may change, and starts in
  std::string place{};    // where the step sees the tree
  std::string log{};      // file of what it prints
  double limit_s = 0;
  double memory_mib = 0;
  std::vector<measure::Binding> read{};
  std::vector<measure::Binding> write{};
  bool network = false;
};

enum class BoxEnd { kDone, kFailed, kSignal, kTimeout, kMemory, kTooMuchOutput };

struct BoxResult {
  BoxEnd end = BoxEnd::kDone;
  int signal = 0;
  std::string text{};  // "exited with code 2"
  double seconds = 0;
};

// What builds and tests are run with.
struct Boxes {
  measure::Abilities abilities{};
  bool isolated = true;  // false: steps run as this user, in the tree where it lies
};

// Error(kData) where bubblewrap is wanted and does not work here.
Boxes FindBoxes(bool isolated);

// Error(kData) where the step cannot be started at all.
BoxResult RunStep(const Boxes& boxes, const BoxStep& step);

// A path as long as that of the tree, which no system has.
std::string PlaceFor(const std::string& tree);

}  // namespace perfgate::study
