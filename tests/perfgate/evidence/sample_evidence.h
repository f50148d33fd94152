// SPDX-License-Identifier: Apache-2.0
// sample_evidence.h: evidence for tests: one small example of each file, and random valid ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/history/history.h"
#include "perfgate/evidence/layouts.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/plan.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::sample {

using Random = std::mt19937_64;

// Names with everything that text can hold: control characters, quotes, UTF-8 of every length.
std::string random_text(Random& random, std::size_t longest = 24);

// A finite double of any magnitude, sign and number of digits.
double random_double(Random& random);

// Sizes, indices and ranges agree as the readers demand. Random sessions have 1 to 3 arms.
Policy random_policy(Random& random);
Session random_session(Random& random);
SuiteVerdict random_verdict(Random& random);
Calibration random_calibration(Random& random);
SuitePlan random_plan(Random& random);
ParityVerdict random_parity(Random& random);
ParityAgents random_parity_agents(Random& random);
AlternativesVerdict random_alternatives(Random& random);
RecordedSession random_recorded(Random& random);
LayoutSet random_layouts(Random& random);
FleetPlan random_fleet(Random& random);
History random_history(Random& random);
Bisection random_bisection(Random& random);

// Every field holds something other than its default and every list at least one element.
Policy full_policy();
Session full_session();
SuiteVerdict full_verdict();
Calibration full_calibration();
SuitePlan full_plan();
ParityVerdict full_parity();
ParityAgents full_parity_agents();
AlternativesVerdict full_alternatives();
RecordedSession full_recorded();
LayoutSet full_layouts();
FleetPlan full_fleet();
History full_history();
Bisection full_bisection();

}  // namespace perfgate::sample
