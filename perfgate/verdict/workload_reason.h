// SPDX-License-Identifier: Apache-2.0
// workload_reason.h: the named reason under which two workloads that differ are not compared.
#pragma once

#include <string_view>

namespace perfgate::inline verdict {

// field: what differs, "prompt_tokens"; what follows a ':' is not looked at. One of
// token_budget_mismatch, model_mismatch, mode_mismatch, workload_mismatch.
std::string_view workload_reason(std::string_view field);

}  // namespace perfgate::inline verdict
