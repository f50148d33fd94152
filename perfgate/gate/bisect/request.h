// SPDX-License-Identifier: Apache-2.0
// request.h: what a bisection can be asked.
#pragma once

#include <string>

#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct BisectRequest {
  std::string good;  // revisions of the repository that holds the current folder
  std::string bad;
  std::string build{};       // command of /bin/sh in a checkout; empty: nothing is built
  std::string executable{};  // that it leaves there, relative to the checkout
  // Path of an executable that is there already, with {commit} for the full id; tried first.
  std::string prebuilt{};
  std::string case_name{};  // that is bisected; empty: the one that is most slower
  std::string folder = ".cache/perfgate/bisect";  // checkout, executables and ledger
  std::string state{};                            // file; empty: one in `folder`, named by the ends
  int attempts = 3;                               // gates of a step while it is undecided
  double build_limit_s = 3600;
  MeasureRequest measure{};  // its policy is that of the first gate
};

}  // namespace perfgate::gate
