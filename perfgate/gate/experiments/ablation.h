// SPDX-License-Identifier: Apache-2.0
// ablation.h: one executable whose cases differ in options: which option is worth its place?
//
// Each case with the option and its partner without it are measured as the two arms of a gate: two
// processes of the executable, slices alternated on one core. They are launched anew in every round
// for every option: else the one would have run all options and the other the default alone.
#pragma once

#include <string>
#include <vector>

#include "perfgate/gate/measuring.h"
#include "perfgate/verdict/ablation/ablation.h"

namespace perfgate::gate {

struct AblationRequest {
  std::string executable;         // links perfgate::main
  std::vector<std::string> keys;  // "gemv" or "gemv=own", see verdict/ablation/toggles.h
  MeasureRequest measure;
};

struct AblationResult {
  Ablation ablation;
  Session session;
  Exit exit = Exit::kInternal;
};

// Error(kUsage) where the executable does not link perfgate::main or no case has such an option.
AblationResult RunAblation(const AblationRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
