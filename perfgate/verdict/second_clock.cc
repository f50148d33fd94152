// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/second_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <optional>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::inline verdict {
namespace {

constexpr std::string_view kSecondClock = "second_clock: ";
constexpr double kProvenP = 1e-5;
constexpr double kSuspiciousP = 0.02;

// Sums over the slices of a round that both arms have.
struct ArmClocks {
  double wall_s = 0;
  double timed_s = 0;
  double iterations = 0;

  double UnexplainedS() const { return wall_s - timed_s; }
  double UnexplainedShare() const { return UnexplainedS() / wall_s; }
};

struct RoundClocks {
  ArmClocks baseline;
  ArmClocks candidate;
};

bool HasClocks(const CaseRound& round, std::size_t arm, std::size_t slice) {
  const auto has = [&](const std::vector<std::vector<double>>& times) {
    return arm < times.size() && slice < times[arm].size() && times[arm][slice] > 0;
  };
  return has(round.slice_wall_s) && has(round.slice_timed_s) && !round.values.empty() &&
         round.values[0][arm][slice] > 0;
}

// The first metric is the time per iteration.
void AddSlice(const CaseRound& round, std::size_t arm, std::size_t slice, ArmClocks& sum) {
  const double timed_s = round.slice_timed_s[arm][slice];
  sum.wall_s += round.slice_wall_s[arm][slice];
  sum.timed_s += timed_s;
  sum.iterations += timed_s / round.values[0][arm][slice];
}

std::optional<RoundClocks> ClocksOf(const CaseRound& round, std::size_t baseline,
                                    std::size_t candidate) {
  if (round.values.empty() || round.values[0].size() <= std::max(baseline, candidate)) {
    return std::nullopt;
  }
  RoundClocks sums;
  const std::size_t slices = round.values[0][baseline].size();
  for (std::size_t s = 0; s < slices; ++s) {
    if (!HasClocks(round, baseline, s) || !HasClocks(round, candidate, s)) continue;
    AddSlice(round, baseline, s, sums.baseline);
    AddSlice(round, candidate, s, sums.candidate);
  }
  return sums.baseline.timed_s > 0 ? std::optional(sums) : std::nullopt;
}

// What c leaves unexplained beyond b, as a share of the timed work of b.
double Excess(const ArmClocks& b, const ArmClocks& c) {
  const double growth = std::max(1.0, c.timed_s / b.timed_s);
  const double allowed_s = b.UnexplainedS() + std::max(0.0, b.UnexplainedS()) * (growth - 1);
  return (c.UnexplainedS() - allowed_s) / b.timed_s;
}

ArmClocks PerIteration(const ArmClocks& sums) {
  return {sums.wall_s / sums.iterations, sums.timed_s / sums.iterations, 1};
}

double Excess(const RoundClocks& round) {
  return std::min(Excess(round.baseline, round.candidate),
                  Excess(PerIteration(round.baseline), PerIteration(round.candidate)));
}

// What c reports and leaves unexplained beyond b, as a share of the timed work of b.
double Whole(const ArmClocks& b, const ArmClocks& c) {
  return (c.timed_s - b.timed_s) / b.timed_s + Excess(b, c);
}

double Whole(const RoundClocks& round) {
  return std::min(Whole(round.baseline, round.candidate),
                  Whole(PerIteration(round.baseline), PerIteration(round.candidate)));
}

// P(at least k of n fair coins show heads).
double SignTestP(std::size_t k, std::size_t n) {
  if (k == 0) return 1;
  const boost::math::binomial coins(static_cast<double>(n), 0.5);
  return boost::math::cdf(boost::math::complement(coins, static_cast<double>(k - 1)));
}

// One-sided: small where the mean of x is above the margin.
double MeanTestP(std::span<const double> x, double margin) {
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double squares = std::accumulate(x.begin(), x.end(), 0.0, [&](double sum, double value) {
    return sum + (value - mean) * (value - mean);
  });
  const double error = std::sqrt(squares / (n - 1) / n);
  if (mean <= margin) return 1;
  if (error <= 0) return 0;
  const boost::math::students_t t(n - 1);
  return boost::math::cdf(boost::math::complement(t, (mean - margin) / error));
}

std::string ReasonText(const WallExcess& excess, double margin, ClockFinding finding) {
  const std::string numbers = fmt::format(
      "{}the gate's clock saw {:.1f} % of the candidate's wall time that its report does not "
      "explain, and {:.1f} % of the baseline's: {:.1f} % of the timed work more, over {} rounds "
      "(margin {:.1f} %)",
      kSecondClock, 100 * excess.candidate_share, 100 * excess.baseline_share,
      100 * stats::median(excess.x), excess.x.size(), 100 * margin);
  if (finding == ClockFinding::kSuspicious) {
    return numbers + "; measure more rounds (--budget, --rounds) to decide";
  }
  return numbers +
         "; time all that the case does, or move set-up out of it; where set-up really changed, "
         "give --second-clock report";
}

// Other metrics, such as the time of a stage, are part of what the clock sees.
bool IsTimeOfCase(const Metric& metric) { return metric.name == "real_time"; }

std::string WholeText(const WallExcess& excess, ClockFinding finding) {
  return fmt::format(
      "{}by the gate's clock the candidate's slices took {:.1f} % of the timed work more than the "
      "baseline's, over {} rounds, which its report does not show{}",
      kSecondClock, 100 * stats::median(excess.whole), excess.whole.size(),
      finding == ClockFinding::kSuspicious
          ? "; measure more rounds (--budget, --rounds) to decide"
          : "; time all that the case does, or move set-up out of it");
}

// Cases that only one arm has are not looked at.
std::size_t ComparedCases(const Session& session) {
  return session.rounds.empty() ? 1 : std::max<std::size_t>(1, session.rounds.front().cases.size());
}

bool IsJudged(const Session& session) { return session.policy.second_clock == SecondClock::kJudge; }

double ClaimOf(bool is_improvement, double estimate) {
  return is_improvement && std::isfinite(estimate) ? std::abs(estimate) : 0;
}

// On a machine so noisy that nothing is proven, a stranger's candidate does not pass on luck: where
// most rounds show much more than the margin, it has to be measured until they do not.
bool IsLikely(const Session& session, const std::vector<double>& x, double margin) {
  constexpr double kMuch = 0.1;
  return session.trust.level != TrustLevel::kOpen && x.size() >= 6 &&
         stats::median(x) > std::max(kMuch, margin);
}

}  // namespace

WallExcess WallExcessOf(const RoundsOfCase& rounds, std::size_t baseline, std::size_t candidate) {
  constexpr double kClockError = 1.02;
  std::vector<RoundClocks> clocks;
  double wall_s = 0;
  double timed_s = 0;
  for (const CaseRound* round : rounds) {
    const auto found = ClocksOf(*round, baseline, candidate);
    if (!found) continue;
    clocks.push_back(*found);
    wall_s += found->baseline.wall_s;
    timed_s += found->baseline.timed_s;
  }
  if (clocks.empty() || timed_s > kClockError * wall_s) return {};
  WallExcess result;
  std::vector<double> baseline_shares;
  std::vector<double> candidate_shares;
  for (const RoundClocks& round : clocks) {
    result.x.push_back(Excess(round));
    result.whole.push_back(Whole(round));
    baseline_shares.push_back(round.baseline.UnexplainedShare());
    candidate_shares.push_back(round.candidate.UnexplainedShare());
  }
  result.baseline_share = stats::median(baseline_shares);
  result.candidate_share = stats::median(candidate_shares);
  // One stalled round hides in the sums that most rounds report more than their wall.
  if (result.baseline_share < 1 - kClockError) return {};
  return result;
}

ClockFinding FindExcess(std::span<const double> x, double margin, std::size_t cases) {
  const std::size_t n = x.size();
  if (n < static_cast<std::size_t>(stats::kMinimumRounds)) return ClockFinding::kNone;
  const auto above = static_cast<std::size_t>(
      std::count_if(x.begin(), x.end(), [margin](double value) { return value > margin; }));
  const double p = SignTestP(above, n);
  if (p <= kProvenP || MeanTestP(x, margin) <= kProvenP) return ClockFinding::kProven;
  const double level = kSuspiciousP / static_cast<double>(std::max<std::size_t>(1, cases));
  return above == n || p <= level ? ClockFinding::kSuspicious : ClockFinding::kNone;
}

ClockVerdict JudgeSecondClock(const Session& session, const WallExcess& excess, double claimed,
                              std::optional<double> tolerance) {
  const double most = session.policy.second_clock_margin;
  const double margin = claimed > 0 ? std::min(most, claimed / 2) : most;
  const std::size_t cases = ComparedCases(session);
  ClockFinding unexplained = FindExcess(excess.x, margin, cases);
  if (unexplained == ClockFinding::kNone && tolerance && IsLikely(session, excess.x, margin)) {
    unexplained = ClockFinding::kSuspicious;
  }
  ClockFinding whole = ClockFinding::kNone;
  if (tolerance) {
    whole = FindExcess(excess.whole, claimed > 0 ? -claimed / 2 : *tolerance + margin, cases);
  }
  if (unexplained >= whole && unexplained != ClockFinding::kNone) {
    return {unexplained, ReasonText(excess, margin, unexplained)};
  }
  if (whole == ClockFinding::kNone) return {};
  return {whole, WholeText(excess, whole)};
}

void ApplySecondClock(const Session& session, const WallExcess& excess, ColumnVerdict& verdict) {
  if (!IsJudged(session) || !is_relative(verdict.metric.kind)) return;
  const double claimed = ClaimOf(verdict.verdict == Verdict::kImprovement, verdict.effect.estimate);
  const bool passes =
      verdict.verdict == Verdict::kImprovement || verdict.verdict == Verdict::kNoRegression;
  const bool may_pass = passes || verdict.verdict == Verdict::kInconclusive;
  const bool is_whole = may_pass && IsTimeOfCase(verdict.metric);
  ClockVerdict found = JudgeSecondClock(session, excess, claimed,
                                        is_whole ? std::optional(verdict.tolerance) : std::nullopt);
  switch (found.finding) {
    case ClockFinding::kNone:
      return;
    case ClockFinding::kProven:
      verdict.verdict = Verdict::kInvalid;
      verdict.claim = Claim::kInvalid;
      break;
    case ClockFinding::kSuspicious:
      if (verdict.verdict == Verdict::kRegression) return;
      verdict.verdict = Verdict::kInconclusive;
      if (verdict.claim == Claim::kStrong) verdict.claim = Claim::kDirectional;
      break;
  }
  verdict.reason = std::move(found.reason);
}

void ApplySecondClock(const Session& session, const WallExcess& excess, const Metric& metric,
                      double margin, ParityPair& pair) {
  if (!IsJudged(session) || !is_relative(metric.kind)) return;
  const bool wins = pair.status == ParityStatus::kWin;
  const bool stands = wins || pair.status == ParityStatus::kMatch;
  ClockVerdict found =
      JudgeSecondClock(session, excess, ClaimOf(wins, pair.effect.estimate),
                       stands && IsTimeOfCase(metric) ? std::optional(margin) : std::nullopt);
  if (found.finding == ClockFinding::kProven) {
    pair.status = ParityStatus::kInvalid;
  } else if (found.finding == ClockFinding::kSuspicious && stands) {
    pair.status = ParityStatus::kUnresolved;
  } else {
    return;
  }
  pair.reason = std::move(found.reason);
}

bool IsWithheldBySecondClock(const ColumnVerdict& verdict) {
  return verdict.verdict == Verdict::kInconclusive && verdict.reason.starts_with(kSecondClock);
}

std::vector<std::string> SecondClockWarnings(const Session& session, std::size_t baseline,
                                             std::size_t candidate) {
  std::vector<std::string> warnings;
  if (session.policy.second_clock != SecondClock::kReport) return warnings;
  const std::vector<RoundsOfCase> rounds = RoundsByCase(session);
  for (std::size_t c = 0; c < rounds.size(); ++c) {
    const ClockVerdict found =
        JudgeSecondClock(session, WallExcessOf(rounds[c], baseline, candidate), 0, std::nullopt);
    if (found.finding == ClockFinding::kNone) continue;
    warnings.push_back(session.cases[c].name + ": " + found.reason);
  }
  return warnings;
}

}  // namespace perfgate::inline verdict
