// SPDX-License-Identifier: Apache-2.0
// verdict_table.h: the cases of a verdict as a table with each interval drawn against its
// tolerance.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// Cases that somebody should look at, then the passed ones, folded where they are many. number: of
// the suite on its page.
std::string VerdictTableHtml(const SuiteVerdict& verdict, std::size_t number);

}  // namespace perfgate::report
