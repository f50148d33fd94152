// SPDX-License-Identifier: Apache-2.0
// completeness.h: which required fields a record leaves open.
//
// Templates of run records are filled in by hand or by a script, and what nobody filled in stays as
// "<pending>" or "-". Two records that agree on "<pending>" agree on nothing: such a value is taken
// out, so that the field is absent, and told of.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/import/record.h"

namespace perfgate::import {

inline constexpr std::string_view kMissing = "missing";
inline constexpr std::string_view kPending = "pending";

// "<pending>", "PENDING", "TODO", "YYYY-MM-DD HH:MM:SS" and the like.
bool is_pending(std::string_view value);

// Takes pending values out of the document's environment and workload; Document::unstated has them
// then.
void take_pending(Document& document);

// Adds to `unstated` every field of `complete` that is neither in the environment nor, for each
// case, in the workload. environment and workload: of all files of the arm together.
void add_missing(const std::vector<std::string>& complete, const Fields& environment,
                 const std::map<std::string, Fields>& workload, Fields& unstated);

}  // namespace perfgate::import
