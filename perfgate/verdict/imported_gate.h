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
//   environment_mismatch   environment fields
#pragma once

#include <string>
#include <vector>

#include "perfgate/verdict/stored_gate.h"

namespace perfgate {

// Metrics that the baseline's importer did not let decide are shown and do not gate, unless the
// policy declares them. Throws Error(kData) unless each session has one arm, Error(kInvalid) where
// one round is on both sides, Error(kNotComparable) where the arms' labels are exchanged.
StoredEvidence evidence_of_files(const Session& baseline, const Session& candidate,
                                 const Policy& policy);

// The reasons above, for --allow.
const std::vector<std::string>& imported_reasons();

}  // namespace perfgate
