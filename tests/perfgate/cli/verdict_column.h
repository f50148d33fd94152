// SPDX-License-Identifier: Apache-2.0
// verdict_column.h: one case of a verdict file.
#pragma once

#include <algorithm>
#include <string>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"

namespace perfgate::testing_command {

// An empty column where the file has no such case.
inline ColumnVerdict column_of(const std::string& verdict_file, const std::string& case_name) {
  const SuiteVerdict verdict = read_verdict(verdict_file);
  const auto found = std::find_if(verdict.columns.begin(), verdict.columns.end(),
                                  [&](const ColumnVerdict& c) { return c.case_name == case_name; });
  return found == verdict.columns.end() ? ColumnVerdict() : *found;
}

}  // namespace perfgate::testing_command
