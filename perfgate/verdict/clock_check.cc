// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/clock_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::inline verdict {
namespace {

constexpr std::string_view kReason = "clock: ";

std::optional<std::size_t> metric_index(const Session& session, std::string_view name) {
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (session.metrics[m].name == name) return m;
  }
  return std::nullopt;
}

// Values of one arm in the rounds that the verdict rests on, all slices in one list.
using ArmValues = std::array<std::vector<double>, 2>;

struct CaseRounds {
  std::vector<const CaseRound*> rounds;

  ArmValues values(const Session& session, std::string_view metric) const {
    ArmValues result;
    const auto index = metric_index(session, metric);
    if (!index) return result;
    for (const CaseRound* round : rounds) {
      for (std::size_t arm = 0; arm < 2; ++arm) {
        for (const double value : round->values[*index][arm]) {
          if (std::isfinite(value)) result[arm].push_back(value);
        }
      }
    }
    return result;
  }
};

// The rounds of make_columns(), as many as the verdict used.
CaseRounds case_rounds(const Session& session, const Column& column, int count) {
  CaseRounds result;
  const Metric& metric = session.metrics[column.metric_index];
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != column.case_index) continue;
      const auto& arms = measured.values[column.metric_index];
      if (!std::isfinite(round_statistic(arms[0], arms[1], metric))) continue;
      if (static_cast<int>(result.rounds.size()) < count) result.rounds.push_back(&measured);
    }
  }
  return result;
}

std::string typical_mhz(const std::vector<double>& values) {
  if (values.empty()) return "unknown";
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MHz", stats::median(values));
  return text;
}

std::uint64_t union_of(const std::vector<double>& masks) {
  std::uint64_t mask = 0;
  for (const double value : masks) {
    if (value >= 0 && value < 4294967296.0) mask |= static_cast<std::uint64_t>(value);
  }
  return mask;
}

std::string explain(const Session& session, const CaseRounds& rounds, double time, double cycles) {
  const ArmValues mhz = rounds.values(session, kGpuSmMhz);
  const ArmValues throttle = rounds.values(session, kGpuThrottle);
  std::string text(kReason);
  text += "time " + SignedPercent(std::expm1(time)) + ", cycles " +
          SignedPercent(std::expm1(cycles)) + "; SM clock " + typical_mhz(mhz[0]) + " against " +
          typical_mhz(mhz[1]);
  const std::string baseline = throttle_words(union_of(throttle[0]));
  const std::string candidate = throttle_words(union_of(throttle[1]));
  if (baseline != candidate) text += "; throttled by " + baseline + " against " + candidate;
  return text;
}

// What a column would have changed at equal clocks, on the scale of its round statistic: the cycles
// of the case for its time; another time or rate of it, a stage say, less what the clocks did to
// the time of the case. NaN without cycles in any round.
double change_at_equal_clocks(const Session& session, const Column& column,
                              const CaseRounds& rounds) {
  const auto cycles = metric_index(session, kGpuCycles);
  const auto time = metric_index(session, "real_time");
  std::vector<double> d;
  for (const CaseRound* round : rounds.rounds) {
    if (!cycles || !time) break;
    const auto change_of = [&](std::size_t m) {
      const auto& arms = round->values[m];
      return round_statistic(arms[0], arms[1], session.metrics[m]);
    };
    const double by_clock = change_of(*time) - change_of(*cycles);
    const double change = change_of(column.metric_index) - by_clock;
    if (std::isfinite(change)) d.push_back(change);
  }
  return d.empty() ? std::numeric_limits<double>::quiet_NaN() : stats::hodges_lehmann(d);
}

bool check_calls(const Session& session, const CaseRounds& rounds, ColumnVerdict& verdict) {
  const ArmValues calls = rounds.values(session, kGpuCallsPerSample);
  if (calls[0].empty() || calls[1].empty()) return true;
  const double baseline = stats::median(calls[0]);
  const double candidate = stats::median(calls[1]);
  if (baseline == candidate) return true;
  verdict.verdict = Verdict::kNotComparable;
  verdict.claim = Claim::kInvalid;
  char text[96];
  std::snprintf(text, sizeof text, "gpu_protocol: %.0f calls per sample against %.0f", baseline,
                candidate);
  verdict.reason = text;
  return false;
}

}  // namespace

std::string throttle_words(std::uint64_t mask) {
  struct Reason {
    std::uint64_t bit;
    const char* word;
  };
  constexpr std::array kReasons = {
      Reason{0x2, "application_clocks"},   Reason{0x4, "sw_power_cap"},
      Reason{0x8, "hw_slowdown"},          Reason{0x10, "sync_boost"},
      Reason{0x20, "sw_thermal_slowdown"}, Reason{0x40, "hw_thermal_slowdown"},
      Reason{0x80, "hw_power_brake"},      Reason{0x100, "display_clocks"}};
  std::string words;
  for (const Reason& reason : kReasons) {
    if ((mask & reason.bit) != 0) AppendItem(words, reason.word);
  }
  return words.empty() ? "none" : words;
}

std::vector<std::string> gpu_warnings(const Session& session) {
  CaseRounds all;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) all.rounds.push_back(&measured);
  }
  std::vector<std::string> warnings;
  const ArmValues throttle = all.values(session, kGpuThrottle);
  const std::string baseline = throttle_words(union_of(throttle[0]));
  const std::string candidate = throttle_words(union_of(throttle[1]));
  if (baseline != candidate) {
    warnings.push_back("GPU clocks were held down by " + baseline + " in the baseline and by " +
                       candidate + " in the candidate");
  }
  double others = 0;
  for (const std::vector<double>& counts : all.values(session, kGpuOtherProcesses)) {
    for (const double count : counts) others = std::max(others, count);
  }
  const double own = static_cast<double>(session.arms.size()) - 1;
  if (others > own) {
    char text[96];
    std::snprintf(text, sizeof text, "%.0f process(es) of others were on the GPU", others - own);
    warnings.emplace_back(text);
  }
  return warnings;
}

bool is_withheld_by_clock(const ColumnVerdict& verdict) {
  return verdict.verdict == Verdict::kInconclusive && verdict.reason.starts_with(kReason);
}

std::optional<std::string> clock_objection(const Session& session, const Column& column,
                                           int rounds_used, bool slower, double estimate) {
  const Metric& metric = session.metrics[column.metric_index];
  if (!is_relative(metric.kind) || !metric_index(session, kGpuCycles)) return std::nullopt;
  const CaseRounds rounds = case_rounds(session, column, rounds_used);
  const double cycles = change_at_equal_clocks(session, column, rounds);
  const double tau = column_rule(column, metric).tau;
  if (std::isnan(cycles) || (slower ? cycles > tau : cycles < -tau)) return std::nullopt;
  return explain(session, rounds, std::log1p(estimate), cycles);
}

void confirm_in_cycles(const Session& session, const Column& column, ColumnVerdict& verdict) {
  const Metric& metric = session.metrics[column.metric_index];
  if (!is_relative(metric.kind) || !metric_index(session, kGpuCycles)) return;
  const CaseRounds rounds = case_rounds(session, column, verdict.rounds);
  if (!check_calls(session, rounds, verdict)) return;
  const bool slower = verdict.verdict == Verdict::kRegression;
  if (!slower && verdict.verdict != Verdict::kImprovement) return;
  const std::optional<std::string> objection =
      clock_objection(session, column, verdict.rounds, slower, verdict.effect.estimate);
  if (!objection) return;
  verdict.verdict = slower ? Verdict::kInconclusive : Verdict::kNoRegression;
  if (verdict.claim == Claim::kStrong) verdict.claim = Claim::kDirectional;
  verdict.reason = *objection;
}

}  // namespace perfgate::inline verdict
