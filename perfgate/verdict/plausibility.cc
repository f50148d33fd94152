// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/result_check.h"

namespace perfgate::inline verdict {
namespace {

constexpr double kMostOfCeiling = 1.5;
constexpr std::array<std::string_view, 4> kReasons = {
    "second_clock: ", "zero_spread: ", "unchecked_speedup: ", "above_ceiling: "};

// The number that every slice of the arm has; none where they differ, or too few say so.
std::optional<double> OnlyValue(const RoundsOfCase& rounds, std::size_t metric, std::size_t arm) {
  std::optional<double> only;
  int telling = 0;
  for (const CaseRound* round : rounds) {
    int values = 0;
    for (const double value : round->values[metric][arm]) {
      if (!std::isfinite(value)) continue;
      if (value != only.value_or(value)) return std::nullopt;
      only = value;
      ++values;
    }
    // What is pooled over a round stands at one of its slices.
    if (values > 1) ++telling;
  }
  return telling >= stats::kMinimumRounds ? only : std::nullopt;
}

std::string ZeroSpread(const TimesOfPair& pair) {
  if (pair.session.metrics[pair.metric_index].kind != Kind::kTime) return "";
  for (const std::size_t arm : {pair.baseline, pair.candidate}) {
    const RoundsOfCase& rounds = pair.rounds[pair.case_index];
    const auto only = OnlyValue(rounds, pair.metric_index, arm);
    if (!only) continue;
    return fmt::format(
        "zero_spread: every slice of the {} takes {:.6g} {} over {} rounds, and a clock never "
        "shows one number so often; time what the case does",
        pair.session.arms[arm].label, *only, pair.session.metrics[pair.metric_index].unit,
        rounds.size());
  }
  return "";
}

std::string UncheckedSpeedup(const TimesOfPair& pair, const Effect& effect) {
  const double factor = pair.session.policy.unchecked_speedup;
  const double nearest = std::isfinite(effect.hi) ? effect.hi : effect.estimate;
  if (factor <= 0 || !is_relative(pair.session.metrics[pair.metric_index].kind)) return "";
  if (!(nearest < 1 / factor - 1) || IsChecked(pair.session, pair.case_index)) return "";
  return fmt::format(
      "unchecked_speedup: {:.1f} times faster, and nobody checks what the case computes; check "
      "its outputs (perfgate/bench/host_case.h, or Work::result of perfgate/bench/work.h), or "
      "allow it with --unchecked-speedup N",
      1 / (1 + effect.estimate));
}

// Declared bytes per second, at the median time over rounds.
double BytesPerSecond(const TimesOfPair& pair, std::size_t case_index, std::size_t arm) {
  const double bytes = pair.session.cases[case_index].work.bytes;
  std::vector<double> medians;
  for (const CaseRound* round : pair.rounds[case_index]) {
    medians.push_back(stats::MedianOfFinite(round->values[0][arm]));
  }
  const double time_s = stats::MedianOfFinite(medians);
  return bytes > 0 ? bytes / time_s : std::numeric_limits<double>::quiet_NaN();
}

std::string AboveCeiling(const TimesOfPair& pair) {
  const std::vector<CaseInfo>& cases = pair.session.cases;
  const std::string& ceiling = cases[pair.case_index].work.ceiling;
  if (ceiling.empty() || pair.session.metrics[pair.metric_index].name != "real_time") return "";
  const auto found = std::find_if(cases.begin(), cases.end(),
                                  [&](const CaseInfo& info) { return info.name == ceiling; });
  if (found == cases.end()) return "";
  const auto index = static_cast<std::size_t>(found - cases.begin());
  const double most = kMostOfCeiling * BytesPerSecond(pair, index, pair.baseline);
  const double baseline = BytesPerSecond(pair, pair.case_index, pair.baseline);
  const double candidate = BytesPerSecond(pair, pair.case_index, pair.candidate);
  // Where the baseline does it too, the declaration is wrong and says nothing of the change.
  if (!(candidate > most) || !(baseline <= most)) return "";
  return fmt::format(
      "above_ceiling: {:.3g} GB/s of declared bytes, where {} moves {:.3g} GB/s in the baseline; "
      "not all declared work is done, or the declaration is wrong",
      1e-9 * candidate, ceiling, 1e-9 * most / kMostOfCeiling);
}

bool IsTimeReason(const std::string& reason) {
  return std::any_of(kReasons.begin(), kReasons.end(),
                     [&](std::string_view start) { return reason.starts_with(start); });
}

}  // namespace

bool IsChecked(const Session& session, std::size_t case_index) {
  const CaseInfo& info = session.cases[case_index];
  if (info.checked || IsScored(session, case_index)) return true;
  if (info.result.empty()) return false;
  const std::vector<Fault> broken = broken_promises(session);
  return std::none_of(broken.begin(), broken.end(),
                      [&](const Fault& fault) { return fault.case_index == case_index; });
}

std::string Implausible(const TimesOfPair& pair, const Effect& effect, bool is_faster) {
  if (pair.session.policy.plausibility == Plausibility::kOff) return "";
  if (std::string found = ZeroSpread(pair); !found.empty()) return found;
  if (std::string found = AboveCeiling(pair); !found.empty()) return found;
  return is_faster ? UncheckedSpeedup(pair, effect) : "";
}

void ApplyPlausibility(const TimesOfPair& pair, ColumnVerdict& verdict) {
  if (verdict.verdict == Verdict::kInvalid) return;
  const bool faster =
      verdict.verdict == Verdict::kImprovement || verdict.verdict == Verdict::kNoRegression;
  std::string reason = Implausible(pair, verdict.effect, faster);
  if (reason.empty()) return;
  verdict.verdict = Verdict::kInvalid;
  verdict.claim = Claim::kInvalid;
  verdict.reason = std::move(reason);
}

void ApplyPlausibility(const TimesOfPair& pair, ParityPair& verdict) {
  if (verdict.status == ParityStatus::kInvalid) return;
  std::string reason = Implausible(pair, verdict.effect, verdict.status == ParityStatus::kWin);
  if (reason.empty()) return;
  verdict.status = ParityStatus::kInvalid;
  verdict.reason = std::move(reason);
}

void FollowInvalidTime(std::vector<ColumnVerdict>& columns) {
  std::map<std::string, std::string> invalid;
  for (const ColumnVerdict& column : columns) {
    if (column.verdict == Verdict::kInvalid && IsTimeReason(column.reason)) {
      invalid.emplace(column.case_name, column.reason);
    }
  }
  for (ColumnVerdict& column : columns) {
    const auto found = invalid.find(column.case_name);
    if (found == invalid.end() || column.verdict == Verdict::kInvalid ||
        column.verdict == Verdict::kFailed) {
      continue;
    }
    column.verdict = Verdict::kInvalid;
    column.claim = Claim::kInvalid;
    column.reason = found->second;
  }
}

void CountChecked(const Session& session, SuiteVerdict& suite) {
  suite.gated_cases = suite.checked_cases = 0;
  std::set<std::string> gated;
  for (const ColumnVerdict& column : suite.columns) {
    if (column.gated) gated.insert(column.case_name);
  }
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    if (!gated.contains(session.cases[c].name)) continue;
    ++suite.gated_cases;
    const CaseInfo& info = session.cases[c];
    if (info.checked || !info.result.empty() || IsScored(session, c)) ++suite.checked_cases;
  }
}

}  // namespace perfgate::inline verdict
