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

// Throws Error(kData) unless each session has one arm.
StoredEvidence evidence_of_files(const Session& baseline, const Session& candidate,
                                 const Policy& policy);

// The reasons above, for --allow.
const std::vector<std::string>& imported_reasons();

}  // namespace perfgate
