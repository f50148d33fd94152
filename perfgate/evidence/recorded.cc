// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/recorded.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "perfgate/base/error.h"
#include "perfgate/evidence/conditions.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline evidence {
namespace {

// Six significant digits: 1000 times finer than the quietest case, and half the bytes.
double shortened(double value) {
  if (!std::isfinite(value)) return value;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

}  // namespace

RecordedSession make_recorded(const Session& session) {
  if (session.arms.size() != 1) {
    throw Error(Exit::kData, "a baseline is recorded from one executable; this session has " +
                                 std::to_string(session.arms.size()));
  }
  if (!session.complete || session.rounds.empty()) {
    throw Error(Exit::kData, "the session is not complete: " + (session.incomplete_reason.empty()
                                                                    ? "it has no rounds"
                                                                    : session.incomplete_reason));
  }
  RecordedSession recorded;
  recorded.id = session.id;
  recorded.tool = session.tool;
  recorded.started = session.started;
  recorded.suite = session.suite;
  recorded.machine = session.machine;
  recorded.machine_class = machine_class(class_fields(session.machine));
  recorded.executable = session.arms.front();
  recorded.executable.path = std::filesystem::path(recorded.executable.path).filename().string();
  recorded.conditions = typical_conditions(session);
  recorded.slice_s = session.policy.slice_s;
  recorded.pairs = session.policy.pairs;
  recorded.rounds = static_cast<int>(session.rounds.size());
  recorded.metrics = session.metrics;
  const std::vector<double> absent(session.rounds.size(), std::numeric_limits<double>::quiet_NaN());
  for (const CaseInfo& info : session.cases) {
    recorded.cases.push_back({info.name, info.threads, info.time, info.iterations,
                              std::vector(session.metrics.size(), absent)});
  }
  for (std::size_t r = 0; r < session.rounds.size(); ++r) {
    for (const CaseRound& measured : session.rounds[r].cases) {
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        recorded.cases[measured.case_index].values[m][r] =
            shortened(stats::MedianOfFinite(measured.values[m][0]));
      }
    }
  }
  // Cases that skip themselves everywhere have nothing to keep.
  std::erase_if(recorded.cases, [](const RecordedCase& c) {
    return std::all_of(c.values.begin(), c.values.end(), [](const std::vector<double>& values) {
      return std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    });
  });
  recorded.reference_names = session.reference_names;
  recorded.reference.assign(recorded.reference_names.size(), {});
  for (const RoundInfo& round : session.rounds) {
    for (std::size_t i = 0; i < recorded.reference.size(); ++i) {
      recorded.reference[i].push_back(shortened(round.reference[i]));
    }
  }
  return recorded;
}

}  // namespace perfgate::inline evidence
