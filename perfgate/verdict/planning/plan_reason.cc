// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/plan_reason.h"

#include <array>
#include <charconv>
#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/stats/design/planning.h"

namespace perfgate::inline verdict {
namespace {

// std::to_chars, since printf's decimal point follows the locale.
std::string number(double value, int digits) {
  std::array<char, 64> text = {};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::general, digits);
  return {text.data(), end};
}

std::string percent(double fraction, int digits = 2) { return ShortPercent(fraction, digits); }

std::string amount(double value, const Metric& metric, int digits = 2) {
  if (is_relative(metric.kind)) return percent(value, digits);
  return number(value, digits) + (metric.unit == "1" ? "" : " " + metric.unit);
}

std::string cannot_pass(const CalibratedColumn& noise, const PlannedColumn& column) {
  const Metric& metric = column.metric;
  std::string text = "round SD " + amount(noise.round_sd, metric) + " against a tolerance of " +
                     amount(column.tolerance, metric, 3) + ": ";
  if (column.tolerance <= 0) {
    text += "no number of rounds shows that nothing at all was lost";
  } else if (!column.rounds_to_pass || *column.rounds_to_pass > stats::kMaxPrintedRounds) {
    text += "needs more than 1000 rounds";
  } else {
    text += "needs about " + std::to_string(*column.rounds_to_pass) + " rounds";
  }
  if (column.supported_tolerance) {
    text += "; a tolerance of " +
            amount(rounder_tolerance(*column.supported_tolerance, metric.kind), metric, 3) +
            " would do";
  }
  return text;
}

std::string cannot_fail(const PlannedColumn& column, const PlanGoal& goal) {
  if (!goal.can_fail) return "a regression needs at least 10 rounds";
  std::string text =
      percent(goal.slowdown, 3) + " is found in " + percent(*column.fail_share) + " of the gates";
  if (column.detectable && *column.detectable > goal.slowdown) {
    text += ", " + percent(*column.detectable) + " in " + percent(goal.power);
  }
  return text;
}

// What is behind the noise, where it can be told.
std::string causes(const CalibratedColumn& noise, const PlanGoal& goal) {
  constexpr double kMostlySetup = 0.5;
  constexpr double kShort = 0.2;
  constexpr double kMost = 0.75;  // of the variance between rounds
  std::string text;
  if (stats::noise_is_unstable(noise.d)) {
    AppendItem(text,
               "unstable noise: SD " + amount(noise.round_sd, noise.metric) + " in the middle, " +
                   amount(noise.sample_sd, noise.metric) +
                   " with its outliers, as of a case with two states",
               "; ");
  }
  if (noise.setup_share > kMostlySetup) {
    AppendItem(text,
               "set-up takes " + percent(noise.setup_share) +
                   " of each slice: build its data once per process",
               "; ");
  }
  if (noise.slice_s < kShort * goal.slice_s) {
    AppendItem(text,
               "a slice lasts only " + number(1e6 * noise.slice_s, 3) +
                   " us, short for a timer: raise the case's iterations",
               "; ");
  }
  const double variance = noise.round_sd * noise.round_sd;
  if (variance > 0 && std::isfinite(noise.between_sd)) {
    const double share = noise.between_sd * noise.between_sd / variance;
    if (share > kMost)
      AppendItem(text, "the noise is between launches: only more rounds help", "; ");
    if (share < 1 - kMost)
      AppendItem(text, "the noise is inside the rounds: more pairs help", "; ");
  }
  return text;
}

}  // namespace

double rounder_tolerance(double tolerance, Kind kind) {
  if (!(tolerance > 0)) return 0;
  double step = 0.005;
  if (is_relative(kind)) {
    if (tolerance > 0.1) step = 0.01;
  } else {
    step = std::pow(10.0, std::floor(std::log10(tolerance)) - 1);
  }
  constexpr double kSlack = 1e-9;  // 0.03 is six steps, however the division rounds
  const double steps = std::ceil(tolerance / step - kSlack);
  // Hundredths and tenths by division: 0.07, not 7 x 0.01.
  return is_relative(kind) ? steps / std::round(1 / step) : steps * step;
}

std::string plan_reason(const CalibratedColumn& noise, const PlannedColumn& column,
                        const PlanGoal& goal) {
  if (column.resolved) return "";
  if (goal.last_look == 0) return "the budget reaches no look: nothing is decided before 6 rounds";
  std::string text;
  if (column.pass_share < goal.power) AppendItem(text, cannot_pass(noise, column), "; ");
  if (column.fail_share && *column.fail_share < goal.power)
    AppendItem(text, cannot_fail(column, goal), "; ");
  const std::string behind = causes(noise, goal);
  if (!behind.empty()) AppendItem(text, behind, "; ");
  return text;
}

}  // namespace perfgate::inline verdict
