// SPDX-License-Identifier: Apache-2.0
// history.h: what was recorded of each case over time on machines of one class, and where its level
// changed. Everything that a trend page draws.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::inline evidence {

// One recorded session, or the candidate of one verdict or session of two arms.
struct HistoryPoint {
  std::string started;     // ISO 8601, UTC
  std::string commit;      // 40 or 64 hexadecimal digits; empty: not known
  bool dirty = false;      // the sources differed from that commit
  std::string session_id;  // of the session
  std::string source;      // the file, as it was named
  double value = 0;        // median over the session's rounds, in the metric's unit
  std::string verdict;     // of a gate that measured it: "regression", ...; empty: none judged it
};

// A place between two points at which the level changed.
struct HistoryChange {
  int index = 0;     // of the first point after it
  int range_lo = 0;  // the first point after it lies within these with about 95 %
  int range_hi = 0;
  std::string commit_before;  // the range as commits: the last that is certainly before it, and
  std::string commit_after;   // the last that the change may have come with; empty: not known
  double before = 0;          // median of the level before it, in the metric's unit
  double after = 0;           // and after it, up to the next change
  // Positive is worse: a fraction for times and rates, else in the metric's unit.
  double shift = 0;
  double p = 1;
};

struct HistorySeries {
  std::string machine_class;
  std::string suite;
  std::string case_name;
  Metric metric;
  std::vector<HistoryPoint> points;    // in order of time
  std::vector<HistoryChange> changes;  // ascending
  double first = 0;                    // median of the level at the beginning, in the metric's unit
  double now = 0;                      // median of the level at the end
  double shift = 0;                    // from first to now, as HistoryChange::shift
  // Standard deviation of the points around their levels, as `shift` is counted.
  double noise = 0;
};

struct History {
  std::string tool;                   // "perfgate 0.1.0"
  double alpha = 0.01;                // chance of a change anywhere where there is none
  double series_alpha = 0;            // what each series has of it
  double least_change = 0;            // smaller changes are not told
  std::vector<HistorySeries> series;  // the worst change first
  std::vector<std::string> warnings;
};

std::string history_to_json(const History& history);
History history_from_json(std::string_view text, const std::string& where);
History read_history(const std::string& path);

}  // namespace perfgate::inline evidence
