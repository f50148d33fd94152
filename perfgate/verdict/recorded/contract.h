// SPDX-License-Identifier: Apache-2.0
// contract.h: what must agree before recorded numbers may be compared, each with a named reason.
//
//   reason               paired  stored  fields
//   build_type_mismatch    x       x     sanitizer, optimisation, assertions
//   hardware_mismatch              x     the fields of the machine class (evidence/machine_class.h)
//   toolchain_mismatch             x     compiler, code generation, benchmark library
//   plan_mismatch                  x     slice length, slices per round
//   metric_mismatch                x     a metric that one side lacks
//   unit_mismatch                  x     unit of a metric
//   direction_mismatch             x     direction or kind of a metric
//   workload_mismatch              x     threads or time flavour of a case
//
// Paired arms share a session, so that everything else agrees by construction. An override allows
// a reason by name: it is recorded, and the claim is capped at `directional`.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/recorded.h"

namespace perfgate::inline verdict {

struct Mismatch {
  std::string reason;       // of the table
  std::string detail;       // "compiler: GNU 12.2.0 against GNU 13.2.0"
  std::string case_name;    // empty: holds for every case
  std::string metric_name;  // empty: holds for every metric of the case
};

// Everything in which a candidate's session differs from a baseline's, in the order of the table.
// Cases that only one of them has are no mismatch: they are missing or new.
std::vector<Mismatch> contract_mismatches(const RecordedSession& baseline,
                                          const RecordedSession& candidate);

// The names of the table. An override must be one of them.
const std::vector<std::string>& contract_reasons();

}  // namespace perfgate::inline verdict
