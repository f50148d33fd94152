// SPDX-License-Identifier: Apache-2.0
// How often the intervals of a comparison of three alternatives hold together, and how often it
// ranks alternatives that are alike, by the product's verdict on drawn sessions.
//
// Every session has so many cases and rounds. The log time of an alternative in a case and round is
// its true one plus noise; the noise of a round is shared by all alternatives (a busy machine,
// which cancels), by all cases of an alternative (its launch, which does not), or by nothing. The
// true speed-ups differ from case to case, so the intervals have to follow them.
#include "perfgate/verdict/alternatives/alternatives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"
#include "tests/calibration/tally.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kAlternatives = 3;
constexpr double kSd = 0.01;
constexpr double kLeast = 0.94;
constexpr double kLeastOfOneCase = 0.935;  // what a single interval is held to (coverage.cc)
constexpr double kMost = 0.985;
// From here on levels are fine enough that a family need not be covered more than this.
constexpr int kFineRounds = 12;

struct Design {
  std::size_t cases = 6;
  int rounds = 16;
  double common = 0;   // SD of what moves all alternatives of a case and round, in units of kSd
  double launch = 0;   // of what moves all cases of an alternative in a round
  std::string text{};  // "6 cases, 16 rounds"
};

// log of the true time.
double truth(std::size_t c, std::size_t arm) {
  return static_cast<double>(c) + 0.03 * static_cast<double>(arm * (c % 3));
}

double true_log_speed_up(const std::vector<std::size_t>& cases, int first, int second) {
  double sum = 0;
  for (const std::size_t c : cases) {
    sum += truth(c, static_cast<std::size_t>(first)) - truth(c, static_cast<std::size_t>(second));
  }
  return sum / static_cast<double>(cases.size());
}

Session drawn_session(const Design& design, const Noise& noise, bool alike, Stream& stream) {
  Session session;
  session.complete = true;
  session.metrics = {Metric{}};
  for (std::size_t arm = 0; arm < kAlternatives; ++arm) {
    session.arms.push_back({.label = std::to_string(arm),
                            .path = "",
                            .digest = std::to_string(arm),
                            .driver = DriverKind::kWorker,
                            .library = "",
                            .build = {}});
  }
  for (std::size_t c = 0; c < design.cases; ++c) {
    session.cases.push_back({.name = "case/" + std::to_string(c)});
  }
  const auto draw = [&](double sds) { return kSd * sds * noise.draw(stream) / noise.sd; };
  for (int r = 0; r < design.rounds; ++r) {
    RoundInfo& round = session.rounds.emplace_back();
    round.index = r;
    std::array<double, kAlternatives> launch{};
    for (double& shift : launch) shift = draw(design.launch);
    for (std::size_t c = 0; c < design.cases; ++c) {
      const double common = draw(design.common);
      CaseRound& measured = round.cases.emplace_back();
      measured.case_index = c;
      measured.values.resize(1);
      for (std::size_t arm = 0; arm < kAlternatives; ++arm) {
        const double log_time =
            (alike ? static_cast<double>(c) : truth(c, arm)) + common + launch[arm] + draw(1);
        measured.values[0].push_back({std::exp(log_time)});
      }
    }
  }
  return session;
}

bool covers(const AlternativesRow& row, const std::vector<std::size_t>& cases) {
  return std::all_of(row.pairs.begin(), row.pairs.end(), [&](const AlternativePair& pair) {
    const double speed_up = std::exp(true_log_speed_up(cases, pair.first, pair.second));
    return pair.speed_up.lo <= speed_up && speed_up <= pair.speed_up.hi;
  });
}

enum : std::size_t { kSuiteHolds, kCaseHolds, kMeanHolds, kRanked, kCounters };
using Shares = std::array<double, kCounters>;

// Case holds: of the first case in its own family. Ranked: alternatives that are alike, anywhere.
Shares run_cell(std::uint64_t cell, const Design& design, const Noise& noise,
                const Options& options) {
  std::vector<std::size_t> all(design.cases);
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  const auto hits =
      tally(options.trials, options.threads, kCounters, [&](const Batch& batch, auto found) {
        for (std::size_t trial = batch.first; trial < batch.last; ++trial) {
          Stream stream(cell, trial);
          const Session session = drawn_session(design, noise, false, stream);
          const AlternativesVerdict suite = decide_alternatives(session, {});
          bool holds = true;
          for (std::size_t c = 0; c < all.size(); ++c) holds = holds && covers(suite.rows[c], {c});
          for (const AlternativesRow& mean : suite.overall) holds = holds && covers(mean, all);
          const AlternativesVerdict own = decide_alternatives(session, {.family = Family::kCase});
          const Session same = drawn_session(design, noise, true, stream);
          const AlternativesVerdict tied = decide_alternatives(same, {});
          const auto is_ranked = [](const AlternativesRow& row) {
            return std::any_of(row.standings.begin(), row.standings.end(), [](const Standing& s) {
              return s.rank_hi - s.rank_lo + 1 < static_cast<int>(kAlternatives);
            });
          };
          const bool ranked = std::any_of(tied.rows.begin(), tied.rows.end(), is_ranked) ||
                              std::any_of(tied.overall.begin(), tied.overall.end(), is_ranked);
          found[kSuiteHolds] += holds ? 1 : 0;
          found[kCaseHolds] += covers(own.rows[0], {0}) ? 1 : 0;
          found[kMeanHolds] += own.overall.empty() || covers(own.overall[0], all) ? 1 : 0;
          found[kRanked] += ranked ? 1 : 0;
        }
      });
  Shares shares{};
  for (std::size_t i = 0; i < kCounters; ++i) shares[i] = share(hits[i], options.trials);
  return shares;
}

std::vector<Noise> noises() {
  return {normal_noise(), t3_noise(), bimodal_noise(0.5), lognormal_noise(1.0)};
}

std::vector<Design> designs() {
  std::vector<Design> all = {{.cases = 1, .rounds = 7},   {.cases = 1, .rounds = 16},
                             {.cases = 6, .rounds = 10},  {.cases = 6, .rounds = 16},
                             {.cases = 6, .rounds = 40},  {.rounds = 16, .common = 3},
                             {.rounds = 10, .launch = 2}, {.rounds = 16, .launch = 2}};
  for (Design& design : all) {
    design.text = std::to_string(design.cases) + (design.cases == 1 ? " case, " : " cases, ") +
                  std::to_string(design.rounds) + " rounds";
    if (design.common > 0) design.text += ", shocks common to all";
    if (design.launch > 0) design.text += ", shocks of a launch";
  }
  return all;
}

// Monte-Carlo error of the trials at hand: published tables have enough to hide it.
double slack(const Options& options) { return 3 * share_se(0.95, options.trials); }

void check_cell(const std::string& cell, const Design& design, const Shares& shares,
                const Options& options, Checks& checks) {
  const bool is_published = options.trials >= 2000;
  const double least = is_published ? kLeast : 0.95 - slack(options);
  checks.expect(shares[kSuiteHolds] >= least,
                "the intervals of a suite hold together at least 94 %; " + cell +
                    percent(shares[kSuiteHolds]));
  for (const std::size_t i : {kCaseHolds, kMeanHolds}) {
    checks.expect(shares[i] >= std::min(least, kLeastOfOneCase),
                  "those of one case at least 93.5 %; " + cell + percent(shares[i]));
  }
  if (design.rounds >= kFineRounds) {
    checks.expect(shares[kSuiteHolds] <= kMost + slack(options),
                  "and not above 98.5 %; " + cell + percent(shares[kSuiteHolds]));
  }
  checks.expect(
      shares[kRanked] <= 1 - least,
      "of alternatives that are alike at most 6 % are ranked; " + cell + percent(shares[kRanked]));
}

int run(const Options& options) {
  Table table{"alternatives",
              {"session", "all intervals of the suite", "those of one case, in its own family",
               "the means, in their own family", "alike, and ranked"},
              {}};
  Checks checks;
  std::uint64_t cell = 0;
  for (const Design& design : designs()) {
    std::array<Extremes, kCounters> range;
    for (const Noise& noise : noises()) {
      const Shares shares = run_cell(++cell, design, noise, options);
      check_cell(noise.name + ", " + design.text + ": ", design, shares, options, checks);
      for (std::size_t i = 0; i < kCounters; ++i) range[i].add(shares[i]);
    }
    table.rows.push_back({design.text, range[kSuiteHolds].percent(), range[kCaseHolds].percent(),
                          design.cases > 1 ? range[kMeanHolds].percent() : "-",
                          range[kRanked].percent()});
  }
  print(table);
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  namespace calibration = perfgate::calibration;
  return calibration::run(calibration::parse_options(
      argc, argv, "Coverage of the joint intervals of three alternatives", 2000));
}
