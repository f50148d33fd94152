// SPDX-License-Identifier: Apache-2.0
// session_facts.h: where and how a session was measured or imported, and what weakens it.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/report/parts/context_lines.h"

namespace perfgate::report {

std::vector<Fact> session_facts(const Session& session);

}  // namespace perfgate::report
