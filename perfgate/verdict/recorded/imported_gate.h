// SPDX-License-Identifier: Apache-2.0
// imported_gate.h: two sessions that were measured apart, by perfgate or by another tool.
//
// The rows of the test are rounds of imported files (launches of a process or server) and whole
// sessions of perfgate's own. What differs between the files is a mismatch with a named reason:
//
//   model_mismatch         workload: model, tokenizer, quantization, dtype
//   mode_mismatch          workload: mode, backend
//   token_budget_mismatch  workload: token and request counts, lengths
//   workload_mismatch      any other workload field, or one that only one side states
//   hardware_mismatch      environment: processor, GPU, memory, clocks
//   toolchain_mismatch     environment: compiler, driver, library and tool versions, images
//   environment_mismatch   any other environment field
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "perfgate/verdict/recorded/stored_gate.h"

namespace perfgate::inline verdict {

// What sessions that were measured apart are worth together: "stored" where perfgate measured all,
// "imported" where another tool measured one, "aggregate" where one has no samples.
std::string grade_of_files(std::initializer_list<const Session*> sessions);

// Whether the launches behind two arms are their own, or those of one file whose cases are compared
// with each other.
enum class Launches { kOwn, kShared };

// A baseline of another tool's files decides on what its session gates, unless the policy declares
// more; the policy's own rules come after it. Throws Error(kData) unless each session has one arm,
// Error(kInvalid) where one round is on both sides although launches are their own,
// Error(kNotComparable) where the arms' labels are exchanged.
StoredEvidence evidence_of_files(const Session& baseline, const Session& candidate,
                                 const Policy& policy, Launches launches = Launches::kOwn);

// The reasons above, for --allow.
const std::vector<std::string>& imported_reasons();

}  // namespace perfgate::inline verdict
