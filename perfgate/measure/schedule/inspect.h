// SPDX-License-Identifier: Apache-2.0
// inspect.h: looks at what GPU arms launch and how much device memory they take, before the clock
// matters.
//
// Each arm that declares GPU conditions is started once with --perfgate_inspect, in which mode its
// GPU cases name their kernels by a profiler instead of timing them. That is a launch of its own,
// because a profiler slows a process down for good. Nothing of it is a measurement.
#pragma once

#include <vector>

#include "perfgate/measure/schedule/context.h"

namespace perfgate::measure {

// Runs each open case of manual time once in every such arm. Kernels that differ from those
// declared are an `invalid` fault of the arm, and the case is no longer open. Says in one warning
// where kernel names could not be checked. Where the arms' peaks do not fit in the device's free
// memory together, sets context.one_at_a_time and the session's grade to `paired_serial`.
void inspect_gpu_arms(Context& context, Session& session, std::vector<bool>& open);

}  // namespace perfgate::measure
