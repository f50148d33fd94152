// SPDX-License-Identifier: Apache-2.0
// round_figures.cc: what rounds showed, one after the other.
#include <algorithm>
#include <cmath>

#include "perfgate/report/figures/suite_figures.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/session_summary.h"
#include "perfgate/report/text/table_unit.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::report {
namespace {

constexpr double kPerCent = 100;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Effects of relative metrics are drawn in per cent.
double Drawn(double effect, const Metric& metric) {
  return is_relative(metric.kind) ? effect * kPerCent : effect;
}

template <class Items>
std::size_t PlaceOf(const Items& items, const std::string& name) {
  const auto found =
      std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  return found == items.end() ? kNowhere : static_cast<std::size_t>(found - items.begin());
}

double MedianOf(std::vector<double> slices) {
  std::erase_if(slices, [](double value) { return !std::isfinite(value); });
  return median(slices);
}

// The values of one arm, each at the time at which its round began.
std::vector<Point> ArmPoints(const Session& session, std::size_t c, std::size_t m,
                             std::size_t arm) {
  std::vector<Point> points;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != c) continue;
      const double value = MedianOf(measured.values[m][arm]);
      if (std::isfinite(value)) points.push_back({round.started_s, value});
    }
  }
  return points;
}

void CollectXY(const Chart& chart, std::vector<double>& x, std::vector<double>& y) {
  for (const PlotSeries& series : chart.series) {
    for (const Point& point : series.points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
  }
  for (const Band& band : chart.bands) y.insert(y.end(), {band.lo, band.hi});
  for (const Rule& rule : chart.rules) {
    (rule.across == Across::kHorizontal ? y : x).push_back(rule.at);
  }
}

std::vector<Figure> ValuesOverTime(const Session& session, std::size_t c, std::size_t m) {
  Chart chart;
  std::vector<double> seconds;
  for (std::size_t arm = 0; arm < session.arms.size(); ++arm) {
    PlotSeries series{.role = arm == 0 ? Role::kBaseline : Role::kCandidate,
                      .name = session.arms[arm].label,
                      .points = ArmPoints(session, c, m, arm)};
    for (const Point& point : series.points) seconds.push_back(point.y);
    chart.series.push_back(std::move(series));
  }
  if (seconds.empty()) return {};
  const Metric& metric = session.metrics[m];
  const bool time = metric.kind == Kind::kTime && metric.unit == "s";
  const TableUnit unit = time ? UnitOfTimes(seconds) : TableUnit{1, metric.unit};
  for (PlotSeries& series : chart.series) {
    for (Point& point : series.points) point.y /= unit.factor;
  }
  chart.title = "Rounds over time per arm";
  std::vector<double> x;
  std::vector<double> y;
  CollectXY(chart, x, y);
  chart.x = LinearAxis("s since the start", x);
  constexpr std::size_t kLongestUnit = 12;
  chart.y = LinearAxis(unit.name.size() > kLongestUnit ? "value" : unit.name, y);
  return {{.caption = "Median of each round, over the time of the session.",
           .chart = chart,
           .names = {}}};
}

// The change that each round showed.
std::vector<Point> ChangePoints(const Session& session, std::size_t c, std::size_t m) {
  const Metric& metric = session.metrics[m];
  std::vector<Point> points;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != c) continue;
      const auto& arms = measured.values[m];
      const double d = round_statistic(arms[0], arms[1], metric);
      if (!std::isfinite(d)) continue;
      const double effect = is_relative(metric.kind) ? std::expm1(d) : d;
      points.push_back({static_cast<double>(round.index + 1), Drawn(effect, metric)});
    }
  }
  return points;
}

void AddNoise(const ReportedSuite& suite, const ColumnVerdict& shown, Chart& chart) {
  const double calibrated =
      suite.calibration ? UnchangedBand(*suite.calibration, shown.case_name, shown.metric.name)
                        : NAN;
  if (std::isfinite(calibrated)) {
    const double end = Drawn(calibrated, shown.metric);
    chart.bands.push_back({Role::kNoise, "A/A band: 95 % of rounds of unchanged code", -end, end});
  } else if (std::isfinite(shown.noise_sd) && is_relative(shown.metric.kind)) {
    constexpr double kSds = 1.96;
    const double end = Drawn(std::expm1(kSds * shown.noise_sd), shown.metric);
    chart.bands.push_back({Role::kNoise, "0 with the noise of these rounds, 1.96 SD", -end, end});
  }
}

std::vector<Figure> ChangePerRound(const ReportedSuite& suite, const ColumnVerdict& shown,
                                   std::size_t c, std::size_t m) {
  Chart chart;
  chart.series.push_back({.role = Role::kCandidate,
                          .name = "change in a round",
                          .points = ChangePoints(*suite.session, c, m),
                          .line = false});
  if (chart.series[0].points.empty()) return {};
  AddNoise(suite, shown, chart);
  if (std::isfinite(shown.effect.lo) && std::isfinite(shown.effect.hi)) {
    chart.bands.push_back({Role::kInterval, "95 % interval", Drawn(shown.effect.lo, shown.metric),
                           Drawn(shown.effect.hi, shown.metric)});
  }
  chart.rules.push_back({.role = Role::kZero, .name = "", .at = 0});
  chart.rules.push_back(
      {.role = Role::kTolerance, .name = "tolerance", .at = Drawn(shown.tolerance, shown.metric)});
  chart.title = "Change per round, with interval, tolerance and noise";
  std::vector<double> x;
  std::vector<double> y;
  CollectXY(chart, x, y);
  chart.x = LinearAxis("round", x);
  chart.y = LinearAxis(
      is_relative(shown.metric.kind) ? "change [%], + is worse" : "change, + is worse", y);
  return {{.caption = "Change of each round.", .chart = chart, .names = {}}};
}

void AppendFigures(std::vector<Figure>& figures, std::vector<Figure> more) {
  for (Figure& figure : more) figures.push_back(std::move(figure));
}

}  // namespace

std::vector<Figure> RoundFigures(const ReportedSuite& suite, const ColumnVerdict& shown) {
  if (!suite.session || suite.session->arms.size() != 2) return {};
  const std::size_t c = PlaceOf(suite.session->cases, shown.case_name);
  const std::size_t m = PlaceOf(suite.session->metrics, shown.metric.name);
  if (c == kNowhere || m == kNowhere) return {};
  std::vector<Figure> figures = ValuesOverTime(*suite.session, c, m);
  AppendFigures(figures, ChangePerRound(suite, shown, c, m));
  return figures;
}

std::vector<Figure> SessionFigures(const Session& session, std::size_t case_index) {
  return session.metrics.empty() ? std::vector<Figure>() : ValuesOverTime(session, case_index, 0);
}

double UnchangedBand(const Calibration& calibration, const std::string& case_name,
                     const std::string& metric) {
  for (const CalibratedColumn& column : calibration.columns) {
    if (column.case_name != case_name || column.metric.name != metric || column.d.empty()) continue;
    std::vector<double> distances;
    for (const double d : column.d) distances.push_back(std::abs(d));
    std::ranges::sort(distances);
    constexpr double kShare = 0.95;
    const auto at =
        static_cast<std::size_t>(std::ceil(kShare * static_cast<double>(distances.size())) - 1);
    const double end = distances[at];
    return is_relative(column.metric.kind) ? std::expm1(end) : end;
  }
  return NAN;
}

}  // namespace perfgate::report
