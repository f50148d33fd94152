// SPDX-License-Identifier: Apache-2.0
// What gates would have said that are made of recorded rounds: false alarms where both arms are the
// same code, detection where the second arm was slowed by a known amount.
//
//   calibration_recorded_gates [--tolerance 0] [--gates 100] [--slowed CASE_REGEX]
//                              [--most-alarms N] [--least-found N] SESSION...
//
// The files are sessions of two arms whose rounds all have all cases (`perfgate run A B --rounds
// N`); several are taken as one record of the same two arms. Disjoint blocks of consecutive rounds
// come first, as many as there are; the other gates draw their rounds at random, without
// replacement. Each gate is decided by the product, with its looks at 6, 10, 16, 24 and 40 rounds,
// as though it had measured those rounds itself. With --slowed, a gate finds the slowdown when
// every case that the expression matches is a regression; without it, any regression is a false
// alarm. Exits 1 where there are more false alarms or fewer finds than promised.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/calibration/program.h"
#include "tests/calibration/recorded.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kLongest = 40;

Session gate_of(const Session& record, const std::vector<std::size_t>& picked, double tolerance) {
  Session gate = record;
  gate.rounds.clear();
  gate.faults.clear();
  gate.complete = true;
  for (const std::size_t r : picked) {
    gate.rounds.push_back(record.rounds[r]);
    gate.rounds.back().index = static_cast<int>(gate.rounds.size()) - 1;
  }
  gate.policy.tolerance = tolerance;
  gate.policy.rounds = static_cast<int>(picked.size());
  gate.schedule.looks.clear();
  gate.schedule.look_alpha.clear();
  for (const stats::Look& look : looks_within(gate.policy, gate.policy.rounds)) {
    gate.schedule.looks.push_back(look.rounds);
    gate.schedule.look_alpha.push_back(look.alpha);
  }
  return gate;
}

std::vector<std::vector<std::size_t>> choose(std::size_t rounds, std::size_t gates) {
  const std::size_t n = std::min(kLongest, rounds);
  std::vector<std::vector<std::size_t>> chosen;
  for (std::size_t at = 0; at + n <= rounds && chosen.size() < gates; at += n) {
    chosen.emplace_back(n);
    std::iota(chosen.back().begin(), chosen.back().end(), at);
  }
  std::mt19937_64 random(20260101);
  std::vector<std::size_t> all(rounds);
  std::iota(all.begin(), all.end(), std::size_t{0});
  while (chosen.size() < gates) {
    // Fisher and Yates by hand: std::shuffle differs between libraries.
    for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[random() % (i + 1)]);
    chosen.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return chosen;
}

struct CaseTally {
  int regressions = 0;
  double rounds = 0;
  double estimate = 0;
};

struct Request {
  std::vector<std::string> files;
  std::string slowed;
  double tolerance = 0;
  std::size_t gates = 100;
  int most_alarms = std::numeric_limits<int>::max();
  int least_found = 0;
};

int run(const Request& request) {
  const auto& [files, slowed, tolerance, gates, most_alarms, least_found] = request;
  const Session record = joined(files);
  const std::regex wanted(slowed);
  std::map<std::string, CaseTally> tallies;
  int alarms = 0;
  int found = 0;
  for (const std::vector<std::size_t>& picked : choose(record.rounds.size(), gates)) {
    const SuiteVerdict verdict = decide(gate_of(record, picked, tolerance));
    bool any = false;
    bool every = true;
    for (const ColumnVerdict& column : verdict.columns) {
      if (!column.gated) continue;
      const bool regression = column.verdict == Verdict::kRegression;
      const bool expected = !slowed.empty() && std::regex_search(column.case_name, wanted);
      any = any || (regression && !expected);
      every = every && (regression || !expected);
      CaseTally& tally = tallies[column.case_name];
      tally.regressions += regression ? 1 : 0;
      tally.rounds += column.rounds;
      tally.estimate += column.effect.estimate;
    }
    alarms += any ? 1 : 0;
    found += every ? 1 : 0;
  }
  const auto n = static_cast<double>(gates);
  Table table{
      "recorded_gates", {"case", "regression in gates", "mean rounds", "mean change %"}, {}};
  for (const auto& [name, tally] : tallies) {
    table.rows.push_back({name, std::to_string(tally.regressions), fixed(tally.rounds / n, 1),
                          fixed(100 * tally.estimate / n, 3)});
  }
  print(table);
  const double round_s =
      record.wall_s > 0 ? record.wall_s / static_cast<double>(record.rounds.size()) : 0;
  std::printf("\n%zu rounds, %zu gates of up to %zu rounds at tolerance %s %%, %.1f s a round\n",
              record.rounds.size(), gates, std::min(kLongest, record.rounds.size()),
              fixed(100 * tolerance, 2).c_str(), round_s);
  std::printf("gates with a regression that nobody put there: %d\n", alarms);
  if (!slowed.empty()) std::printf("gates that found every slowed case: %d\n", found);
  const bool kept = alarms <= most_alarms && (slowed.empty() || found >= least_found);
  if (!kept) std::printf("not as promised\n");
  return kept ? 0 : 1;
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  CLI::App app("What gates would have said that are made of recorded rounds");
  perfgate::calibration::Request request;
  app.add_option("SESSION", request.files, "Session files of two arms")->required();
  app.add_option("--tolerance", request.tolerance, "Accepted slowdown, as a fraction")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--gates", request.gates, "Gates to form")->check(CLI::Range(1, 100000));
  app.add_option("--slowed", request.slowed,
                 "Regular expression: cases whose second arm is slower");
  app.add_option("--most-alarms", request.most_alarms, "Exit 1 beyond so many false alarms");
  app.add_option("--least-found", request.least_found, "Exit 1 below so many gates that find all");
  CLI11_PARSE(app, argc, argv);
  try {
    return perfgate::calibration::run(request);
  } catch (const std::exception& error) {
    std::cerr << "calibration_recorded_gates: " << error.what() << "\n";
    return 65;
  }
}
