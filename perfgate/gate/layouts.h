// SPDX-License-Identifier: Apache-2.0
// layouts.h: the layouts that the rounds of a measurement draw from.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/measure/plan.h"

namespace perfgate::gate {

// Fills arm.layouts from arm.layouts_folder, without the seeds in `used`, and links those that the
// folder lacks. Nothing for an arm without a folder. Throws as layouts::OpenLayouts, RequireSound
// and LinkMissing. kNever where arms are isolated: the commands that link are the author's. Then a
// layout that is not linked yet is an Error(kData).
enum class Linking { kAsNeeded, kNever };
void AddLayouts(const std::set<int>& used, Linking linking, measure::ArmPlan& arm);

// How a gate uses the layouts of these arms: what the policy says where all have some, else one
// link. Error(kUsage) where the policy says always and an arm has none.
LayoutUse LayoutsInUse(const Policy& policy, const std::vector<measure::ArmPlan>& arms);

// The digest that sessions and stores know an executable, or a folder of layouts, by. Throws as
// inspect_executable(), or as OpenLayouts and RequireSound.
std::string DigestOfProgram(const std::string& path);

// What to say where only one of two arms has layouts; empty where both or none have.
std::string OneSidedLayouts(const std::vector<measure::ArmPlan>& arms);

}  // namespace perfgate::gate
