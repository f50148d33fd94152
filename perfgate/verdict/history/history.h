// SPDX-License-Identifier: Apache-2.0
// history.h: from recorded sessions and verdicts to the trend of every case and its change points.
//
//   observations   ObservationsOf() of each file, in any order
//   history        BuildHistory(): one series per machine class, suite, case and metric
// A report draws History (evidence/history/history.h) and needs nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/history/history.h"
#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// One value of one case and metric.
struct Observation {
  std::string machine_class;
  std::string suite;
  std::string case_name;
  Metric metric;
  HistoryPoint point;
};

// Where a file lies and what is known of the revision in it; a recorded session knows it itself.
struct HistorySource {
  std::string file;
  std::string commit;  // empty: not known
};

// Medians over the rounds. Metrics that only inform are left out, and so are absent values. Of two
// arms the second, the candidate, counts.
std::vector<Observation> ObservationsOf(const RecordedSession& session,
                                        const HistorySource& source);
std::vector<Observation> ObservationsOf(const Session& session, const HistorySource& source);
std::vector<Observation> ObservationsOf(const SuiteVerdict& verdict, const HistorySource& source);

struct HistoryRule {
  // Chance that a change is told anywhere where there is none (stats/change/change_points.h): each
  // series has its part, and no more than kMostSeriesAlpha. In (0, 0.5).
  double alpha = 0.01;
  double least_change = 0.01;  // smaller changes are not told; fraction for times and rates
  std::size_t newest = 0;      // points of each series that count; 0: all
  std::uint64_t seed = 1;
  // Commits from the oldest: then points are in this order, and of one commit in order of time.
  // Points of other commits are left out with a warning. Empty: in order of time.
  std::vector<std::string> commits{};
};

// One alarm in 200 series without a change, however few there are.
inline constexpr double kMostSeriesAlpha = 0.005;

// The same session in two files counts once. Values that are not above 0 are no times or rates and
// are left out with a warning. Error(kUsage) for a rule out of range.
History BuildHistory(std::span<const Observation> observations, const HistoryRule& rule,
                     const std::string& tool);

}  // namespace perfgate::inline verdict
