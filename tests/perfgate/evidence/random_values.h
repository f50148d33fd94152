// SPDX-License-Identifier: Apache-2.0
// random_values.h: the parts that random evidence is made of.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "perfgate/evidence/machine.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
T pick(Random& random, T lo, T hi) {
  return std::uniform_int_distribution<T>(lo, hi)(random);
}

inline bool coin(Random& random) { return pick(random, 0, 1) == 1; }

inline double real(Random& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}

inline double absent_or(Random& random, double value) { return coin(random) ? value : kNaN; }

std::string hex(Random& random, int digits);
std::vector<int> random_cpus(Random& random);
std::vector<std::string> random_texts(Random& random);
// A suffix keeps random names apart where files demand it.
std::string unique_text(Random& random, std::size_t index);
Metric random_metric(Random& random, std::size_t index);
Machine random_machine(Random& random);
RoundConditions random_conditions(Random& random);
ArmInfo random_arm(Random& random);
Schedule random_schedule(Random& random);
std::vector<NamedValue> random_named_values(Random& random);
Effect random_effect(Random& random);

}  // namespace perfgate::sample
