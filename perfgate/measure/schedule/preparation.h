// SPDX-License-Identifier: Apache-2.0
// preparation.h: what happens before the first round, each step once.
#pragma once

#include <cstdint>

#include "perfgate/measure/schedule/run_state.h"

namespace perfgate::measure {

// The session's identity: tool, suite, policy, machine, seed.
void BeginSession(std::uint64_t seed, const MeasurePlan& plan, Session& session);

// Leases the cores and starts the budget: waiting for a core is not part of it. Cases that have
// more threads than there are cores become faults. Throws as lease_cpus().
void LeaseCores(PreparedRun& run, RunState& state);

// Finds the iterations of every case and says which cases are open.
void CalibrateCases(PreparedRun& run, RunState& state);

}  // namespace perfgate::measure
