// SPDX-License-Identifier: Apache-2.0
// layout_stage.h: the two stages of a gate on executables with layouts.
//
// Stage 1 is the gate on one link of each arm. It screens: what it would name, slower or faster,
// and what it leaves inconclusive goes to stage 2, which measures just these cases in fresh rounds
// over layouts, as one family at its own alpha. Only stage 2 names a case. Its rounds are
// independent of those that chose the cases, so a suite without any change is called slower with
// probability at most alpha, whatever stage 1 picks (docs/statistics.md).
#pragma once

#include <cstddef>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Cases of a judged first stage that go to the second: indices into its session's cases. A case
// with a fault does not, nor one that too few rounds left open.
std::vector<std::size_t> ScreenedCases(const Session& session, const SuiteVerdict& verdict);

// Whether an arm ran a layout in more than one round: then rounds are not independent.
bool ReusesLayouts(const Session& session);

// What was measured of some cases of `session`, as its second stage.
LayoutStage StageOf(const Session& session, const Session& stage);

// Stage 2 as a session of its own: what was measured, under the policy of `session`.
Session SessionOfStage(const Session& session, const LayoutStage& stage);

// The verdict of both stages: that of the second for the cases that it measured, with what one link
// showed beside it.
SuiteVerdict MergeStages(const Session& session, SuiteVerdict first, const SuiteVerdict& second);

}  // namespace perfgate::inline verdict
