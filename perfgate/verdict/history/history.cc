// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/history/history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "perfgate/base/error.h"
#include "perfgate/stats/change/change_points.h"
#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline verdict {
namespace {

using SeriesKey = std::tuple<std::string, std::string, std::string, std::string>;

void RequireRule(const HistoryRule& rule) {
  if (!(rule.alpha > 0 && rule.alpha < 0.5)) {
    throw Error(Exit::kUsage, "--alpha must be above 0 and below 0.5");
  }
  if (!(rule.least_change >= 0 && std::isfinite(rule.least_change))) {
    throw Error(Exit::kUsage, "--least must be at least 0");
  }
}

struct Collected {
  std::map<SeriesKey, HistorySeries> series;
  std::size_t repeated = 0;          // sessions that two files hold
  std::size_t unusable = 0;          // values that are no times or rates
  std::size_t unordered = 0;         // points of commits that are not in the order
  std::set<std::string> redeclared;  // metrics that changed their meaning
};

Collected Collect(std::span<const Observation> observations) {
  Collected collected;
  std::map<SeriesKey, std::set<std::string>> sessions;
  for (const Observation& one : observations) {
    const SeriesKey key = {one.machine_class, one.suite, one.case_name, one.metric.name};
    if (is_relative(one.metric.kind) && !(one.point.value > 0)) {
      ++collected.unusable;
      continue;
    }
    if (!sessions[key].insert(one.point.session_id).second) {
      ++collected.repeated;
      continue;
    }
    HistorySeries& series = collected.series[key];
    if (!series.points.empty() && !(series.metric == one.metric)) {
      collected.redeclared.insert(one.metric.name);
      continue;
    }
    series.machine_class = one.machine_class;
    series.suite = one.suite;
    series.case_name = one.case_name;
    series.metric = one.metric;
    series.points.push_back(one.point);
  }
  return collected;
}

// By time, or by commit and then time.
void Order(const std::map<std::string, std::size_t>& places, std::size_t newest,
           Collected& collected, HistorySeries& series) {
  std::vector<HistoryPoint>& points = series.points;
  if (!places.empty()) {
    collected.unordered += std::erase_if(
        points, [&](const HistoryPoint& point) { return !places.contains(point.commit); });
  }
  const auto place = [&](const HistoryPoint& point) {
    return places.empty() ? std::size_t{0} : places.at(point.commit);
  };
  std::stable_sort(points.begin(), points.end(), [&](const auto& a, const auto& b) {
    return std::tuple(place(a), a.started, a.session_id) <
           std::tuple(place(b), b.started, b.session_id);
  });
  if (newest > 0 && points.size() > newest) {
    points.erase(points.begin(), points.end() - static_cast<std::ptrdiff_t>(newest));
  }
}

double ChangeBetween(double before, double after, const Metric& metric) {
  const double sign = metric.direction == Direction::kLower ? 1 : -1;
  if (!is_relative(metric.kind)) return sign * (after - before);
  return std::expm1(sign * std::log(after / before));
}

HistoryChange ChangeOf(const stats::ChangePoint& found, const HistorySeries& series) {
  const bool relative = is_relative(series.metric.kind);
  HistoryChange change;
  change.index = static_cast<int>(found.index);
  change.range_lo = static_cast<int>(found.range_lo);
  change.range_hi = static_cast<int>(found.range_hi);
  change.commit_before = series.points[found.range_lo - 1].commit;
  change.commit_after = series.points[found.range_hi].commit;
  change.before = relative ? std::exp(found.before) : found.before;
  change.after = relative ? std::exp(found.after) : found.after;
  change.shift = ChangeBetween(change.before, change.after, series.metric);
  change.p = found.p;
  return change;
}

void FindChanges(const stats::ChangeRule& rule, HistorySeries& series) {
  const bool relative = is_relative(series.metric.kind);
  std::vector<double> x;
  for (const HistoryPoint& point : series.points) {
    x.push_back(relative ? std::log(point.value) : point.value);
  }
  std::vector<std::size_t> ends;
  for (const stats::ChangePoint& found : stats::FindChangePoints(x, rule)) {
    series.changes.push_back(ChangeOf(found, series));
    ends.push_back(found.index);
  }
  ends.push_back(x.size());
  double squares = 0;
  std::size_t from = 0;
  std::vector<double> levels;
  for (const std::size_t to : ends) {
    levels.push_back(stats::median(std::span(x).subspan(from, to - from)));
    for (std::size_t i = from; i < to; ++i) squares += std::pow(x[i] - levels.back(), 2);
    from = to;
  }
  series.noise = std::sqrt(squares / std::max(1.0, static_cast<double>(x.size() - ends.size())));
  series.first = relative ? std::exp(levels.front()) : levels.front();
  series.now = relative ? std::exp(levels.back()) : levels.back();
  series.shift = ChangeBetween(series.first, series.now, series.metric);
}

// The largest change for the worse, the last one where several are.
double WorstOf(const HistorySeries& series) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const HistoryChange& change : series.changes) worst = std::max(worst, change.shift);
  return worst;
}

void Warn(const Collected& collected, History& history) {
  const auto warn = [&](std::size_t count, const std::string& what) {
    if (count > 0) history.warnings.push_back(std::to_string(count) + " " + what);
  };
  warn(collected.repeated, "value(s) of sessions that another file holds as well: counted once");
  warn(collected.unusable, "value(s) that are not above 0 were left out");
  warn(collected.unordered,
       "value(s) of commits that are not in this history of git were left out");
  for (const std::string& name : collected.redeclared) {
    history.warnings.push_back("metric '" + name +
                               "' changed its meaning: what came later was left out");
  }
}

}  // namespace

History BuildHistory(std::span<const Observation> observations, const HistoryRule& rule,
                     const std::string& tool) {
  RequireRule(rule);
  Collected collected = Collect(observations);
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < rule.commits.size(); ++i) places[rule.commits[i]] = i;
  for (auto& [key, series] : collected.series) Order(places, rule.newest, collected, series);
  std::erase_if(collected.series, [](const auto& one) { return one.second.points.empty(); });
  History history;
  history.tool = tool;
  history.alpha = rule.alpha;
  history.least_change = rule.least_change;
  const auto count = std::max<std::size_t>(1, collected.series.size());
  history.series_alpha = std::min(kMostSeriesAlpha, rule.alpha / static_cast<double>(count));
  for (auto& [key, series] : collected.series) {
    const bool relative = is_relative(series.metric.kind);
    FindChanges({.alpha = history.series_alpha,
                 .least_shift = relative ? std::log1p(rule.least_change) : 0.0,
                 .seed = rule.seed},
                series);
    history.series.push_back(std::move(series));
  }
  std::stable_sort(
      history.series.begin(), history.series.end(),
      [](const HistorySeries& a, const HistorySeries& b) { return WorstOf(a) > WorstOf(b); });
  Warn(collected, history);
  return history;
}

}  // namespace perfgate::inline verdict
