// SPDX-License-Identifier: Apache-2.0
// suite_figures.cc: figures of a whole suite: layouts, roofline, stages.
#include "perfgate/report/figures/suite_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "perfgate/report/session_summary.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::report {
namespace {

constexpr double kInPercent = 100;

// Per layout round of the column, the change in per cent.
std::vector<double> LayoutChanges(const Session& session, const ColumnVerdict& column) {
  std::vector<double> changes;
  const auto m = std::ranges::find(session.metrics, column.metric.name, &Metric::name);
  if (m == session.metrics.end() || session.confirmation.empty()) return changes;
  for (const RoundInfo& round : session.confirmation[0].rounds) {
    for (const CaseRound& measured : round.cases) {
      if (session.cases[measured.case_index].name != column.case_name) continue;
      const auto& arms = measured.values[static_cast<std::size_t>(m - session.metrics.begin())];
      const double d = round_statistic(arms[0], arms[1], *m);
      if (std::isfinite(d)) changes.push_back(std::expm1(d) * kInPercent);
    }
  }
  return changes;
}

void AddLayoutRow(const Session& session, const ColumnVerdict& column, Figure& figure) {
  const std::vector<double> changes = LayoutChanges(session, column);
  if (changes.empty()) return;
  figure.names.push_back(column.case_name);
  const auto row = static_cast<double>(figure.names.size());
  for (const double change : changes) figure.chart.series[0].points.push_back({change, row});
  figure.chart.series[1].points.push_back({column.link_effect.estimate * kInPercent, row});
}

Axis RowAxis(std::size_t rows) {
  Axis axis{"case", static_cast<double>(rows) + 0.7, 0.3, false, {}};
  for (std::size_t row = 1; row <= rows; ++row) {
    axis.ticks.push_back({static_cast<double>(row), std::to_string(row)});
  }
  return axis;
}

std::vector<double> XOf(const Chart& chart) {
  std::vector<double> x = {0};
  for (const PlotSeries& series : chart.series) {
    for (const Point& point : series.points) x.push_back(point.x);
  }
  return x;
}

struct WorkPoint {
  std::size_t case_index = 0;
  double bytes_per_second[2] = {NAN, NAN};
};

std::vector<WorkPoint> WorkOf(const Session& session) {
  std::vector<WorkPoint> work;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (session.cases[c].work.bytes <= 0) continue;
    WorkPoint point{.case_index = c};
    for (std::size_t arm = 0; arm < std::min<std::size_t>(session.arms.size(), 2); ++arm) {
      point.bytes_per_second[arm] = bytes_per_second(session, c, arm);
    }
    if (std::isfinite(point.bytes_per_second[0])) work.push_back(point);
  }
  return work;
}

// The most bytes per second that a case reached which others name as their ceiling.
double CeilingOf(const Session& session, const std::vector<WorkPoint>& work) {
  double ceiling = NAN;
  for (const WorkPoint& point : work) {
    const std::string& name = session.cases[point.case_index].name;
    const bool named = std::ranges::any_of(
        session.cases, [&](const CaseInfo& info) { return info.work.ceiling == name; });
    if (named) ceiling = std::fmax(ceiling, point.bytes_per_second[0]);
  }
  return ceiling;
}

void AddSeries(const Session& session, Chart& chart) {
  for (std::size_t arm = 0; arm < std::min<std::size_t>(session.arms.size(), 2); ++arm) {
    chart.series.push_back({.role = arm == 0 ? Role::kBaseline : Role::kCandidate,
                            .name = session.arms[arm].label,
                            .points = {},
                            .line = false,
                            .numbered = arm == 0});
  }
}

Figure Roofline(const Session& session, const std::vector<WorkPoint>& work, double ceiling) {
  Figure figure;
  Chart& chart = figure.chart;
  AddSeries(session, chart);
  std::vector<double> y;
  for (const WorkPoint& point : work) {
    const CaseInfo& info = session.cases[point.case_index];
    if (info.work.flops <= 0) continue;
    const double intensity = info.work.flops / info.work.bytes;
    figure.names.push_back(info.name);
    for (std::size_t arm = 0; arm < chart.series.size(); ++arm) {
      chart.series[arm].points.push_back({intensity, point.bytes_per_second[arm] * intensity});
      y.push_back(point.bytes_per_second[arm] * intensity);
    }
  }
  chart.x = LogAxis("operations per byte", XOf(chart));
  chart.y = LogAxis("operations/s", y);
  if (std::isfinite(ceiling)) {
    // The part of the roof that is within the field.
    const double from = std::max(chart.x.lo, chart.y.lo / ceiling);
    const double to = std::min(chart.x.hi, chart.y.hi / ceiling);
    const bool within = from < to;
    if (within) {
      chart.slopes.push_back({Role::kCeiling,
                              "bandwidth of the ceiling case",
                              {from, ceiling * from},
                              {to, ceiling * to}});
    }
  }
  chart.title = "Roofline: operations per second over operations per byte";
  figure.caption =
      "Roofline of the declared work. No peak of operations is declared, so only the bandwidth is "
      "a roof.";
  return figure;
}

Figure Bandwidth(const Session& session, const std::vector<WorkPoint>& work, double ceiling) {
  Figure figure;
  Chart& chart = figure.chart;
  AddSeries(session, chart);
  std::vector<double> y;
  for (const WorkPoint& point : work) {
    figure.names.push_back(session.cases[point.case_index].name);
    for (std::size_t arm = 0; arm < chart.series.size(); ++arm) {
      chart.series[arm].points.push_back(
          {static_cast<double>(figure.names.size()), point.bytes_per_second[arm]});
      y.push_back(point.bytes_per_second[arm]);
    }
  }
  chart.x = LinearAxis("case", XOf(chart));
  if (std::isfinite(ceiling)) {
    y.push_back(ceiling);
    chart.rules.push_back(
        {.role = Role::kCeiling, .name = "bandwidth of the ceiling case", .at = ceiling});
  }
  chart.y = LogAxis("B/s", y);
  chart.title = "Bytes per second of the declared work, case by case";
  figure.caption = "Bytes per second of the declared work.";
  return figure;
}

}  // namespace

std::vector<Figure> LayoutFigures(const ReportedSuite& suite) {
  if (!suite.verdict || !suite.session) return {};
  Figure figure;
  figure.chart.series = {
      {.role = Role::kCandidate, .name = "a pair of layouts", .points = {}, .line = false},
      {.role = Role::kBaseline, .name = "the one link", .points = {}, .line = false}};
  for (const ColumnVerdict& column : suite.verdict->columns) {
    constexpr std::size_t kMostRows = 20;
    if (is_relative(column.metric.kind) && std::isfinite(column.link_effect.estimate) &&
        figure.names.size() < kMostRows) {
      AddLayoutRow(*suite.session, column, figure);
    }
  }
  if (figure.names.empty()) return {};
  figure.chart.x = LinearAxis("change [%], + is worse", XOf(figure.chart));
  figure.chart.y = RowAxis(figure.names.size());
  figure.chart.rules = {{.role = Role::kZero, .name = "", .at = 0, .across = Across::kVertical},
                        {.role = Role::kTolerance,
                         .name = "tolerance",
                         .at = suite.verdict->policy.tolerance * kInPercent,
                         .across = Across::kVertical}};
  figure.chart.title = "Layout spread: the change in every pair of layouts";
  figure.caption = "What each pair of layouts showed, beside the one link of the first stage.";
  return {figure};
}

std::vector<Figure> RooflineFigures(const ReportedSuite& suite) {
  if (!suite.session) return {};
  const Session& session = *suite.session;
  std::vector<WorkPoint> work = WorkOf(session);
  if (work.empty()) return {};
  const double ceiling = CeilingOf(session, work);
  constexpr std::size_t kMostPoints = 40;
  if (work.size() > kMostPoints) work.resize(kMostPoints);
  const bool flops = std::ranges::any_of(
      work, [&](const WorkPoint& point) { return session.cases[point.case_index].work.flops > 0; });
  return {flops ? Roofline(session, work, ceiling) : Bandwidth(session, work, ceiling)};
}

std::vector<StageShares> StageSharesOf(const SuiteVerdict& verdict) {
  constexpr std::string_view kStage = "stage_";
  std::vector<StageShares> all;
  for (const ColumnVerdict& column : verdict.columns) {
    const bool stage = column.metric.name.starts_with(kStage) && column.metric.kind == Kind::kTime;
    if (!stage || !std::isfinite(column.baseline) || !std::isfinite(column.candidate)) continue;
    auto found = std::ranges::find(all, column.case_name, &StageShares::case_name);
    if (found == all.end()) found = all.insert(all.end(), {column.case_name, {}});
    found->stages.push_back(
        {column.metric.name.substr(kStage.size()), column.baseline, column.candidate});
  }
  std::erase_if(all, [](const StageShares& shares) { return shares.stages.size() < 2; });
  for (StageShares& shares : all) {
    double baseline = 0;
    double candidate = 0;
    for (const StageShare& stage : shares.stages) {
      baseline += stage.baseline;
      candidate += stage.candidate;
    }
    for (StageShare& stage : shares.stages) {
      stage.baseline /= baseline > 0 ? baseline : 1;
      stage.candidate /= candidate > 0 ? candidate : 1;
    }
    std::ranges::sort(shares.stages, std::greater(), &StageShare::baseline);
  }
  return all;
}

}  // namespace perfgate::report
