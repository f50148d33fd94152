// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/session_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline verdict {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double row_value(const RecordedSession& session, const RowColumn& column) {
  for (const RecordedCase& info : session.cases) {
    if (info.name != column.case_name) continue;
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (session.metrics[m].name != column.metric.name) continue;
      const double value = stats::MedianOfFinite(info.values[m]);
      const double y = is_relative(column.metric.kind) ? std::log(value) : value;
      return column.metric.direction == Direction::kLower ? y : -y;
    }
  }
  return kNaN;
}

double log_reference(const RecordedSession& session, int component) {
  const auto index = static_cast<std::size_t>(component);
  return index < session.reference.size()
             ? std::log(stats::MedianOfFinite(session.reference[index]))
             : kNaN;
}

double standard_deviation(const std::vector<double>& values) {
  double mean = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// Median over the relative columns of their spread between sessions.
double typical_spread(const stats::Matrix& rows, std::span<const RowColumn> columns) {
  std::vector<double> spreads;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!is_relative(columns[c].metric.kind)) continue;
    const double spread = standard_deviation(rows.column(c));
    if (std::isfinite(spread)) spreads.push_back(spread);
  }
  return stats::MedianOfFinite(spreads);
}

}  // namespace

std::vector<RowColumn> row_columns(const RecordedSession& session) {
  std::vector<RowColumn> columns;
  for (const RecordedCase& info : session.cases) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (is_informational(session.metrics[m].name)) continue;
      if (std::isfinite(stats::MedianOfFinite(info.values[m]))) {
        columns.push_back({info.name, session.metrics[m]});
      }
    }
  }
  return columns;
}

stats::Matrix session_rows(std::span<const RecordedSession> sessions,
                           std::span<const RowColumn> columns) {
  stats::Matrix rows(sessions.size(), columns.size());
  for (std::size_t r = 0; r < sessions.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      rows(r, c) = row_value(sessions[r], columns[c]);
  }
  return rows;
}

std::vector<RecordedSession> of_newest_executable(std::span<const RecordedSession> sessions) {
  std::vector<RecordedSession> result;
  for (const RecordedSession& session : sessions) {
    const RecordedSession& newest = sessions.back();
    if (session.executable.digest == newest.executable.digest &&
        session.slice_s == newest.slice_s && session.pairs == newest.pairs) {
      result.push_back(session);
    }
  }
  return result;
}

int choose_reference(std::span<const RecordedSession> baseline,
                     std::span<const RowColumn> columns) {
  constexpr std::size_t kFewest = 5;
  constexpr double kWorthwhile = 0.8;
  if (baseline.size() < kFewest) return -1;
  const stats::Matrix raw = session_rows(baseline, columns);
  double best = kWorthwhile * typical_spread(raw, columns);
  int chosen = -1;
  const int components = static_cast<int>(baseline.front().reference_names.size());
  for (int component = 0; component < components; ++component) {
    stats::Matrix rows = raw;
    subtract_reference(baseline, columns, component, rows);
    const double spread = typical_spread(rows, columns);
    if (spread < best) {
      best = spread;
      chosen = component;
    }
  }
  return chosen;
}

void subtract_reference(std::span<const RecordedSession> sessions,
                        std::span<const RowColumn> columns, int component, stats::Matrix& rows) {
  if (component < 0) return;
  for (std::size_t r = 0; r < sessions.size(); ++r) {
    const double reference = log_reference(sessions[r], component);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!is_relative(columns[c].metric.kind)) continue;
      // Rates are signed already: a slower machine lowers them as it raises times.
      rows(r, c) -= reference;
    }
  }
}

}  // namespace perfgate::inline verdict
