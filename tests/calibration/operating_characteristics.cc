// SPDX-License-Identifier: Apache-2.0
// What the gate says of a changed case: FAIL, PASS or undecided, and after how many rounds.
//
// A suite of 20 cases at tolerance 2 %, one of them changed, the others as noisy and unchanged.
// Every trial is one gate of the product (run_gate, default looks). Beside our figures stand those
// of an independent implementation of the same procedure (500 trials a cell), with which they must
// agree.
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kRounds = 40;
constexpr std::size_t kSuite = 20;
constexpr double kTolerance = 0.02;
constexpr double kReferenceTrials = 500.0;
constexpr double kNoFigure = -1.0;  // the reference does not say

// Shares in %, mean rounds of the changed case.
struct Outcome {
  double fail = kNoFigure;
  double pass = kNoFigure;
  double rounds = kNoFigure;
  double rounds_sd = 0.0;       // between trials; of ours only
  std::size_t false_fails = 0;  // trials in which an unchanged case failed
};

struct Cell {
  double round_sd = 0.0;
  double slowdown = 0.0;
  Outcome reference;
};

// Rounds with the SD of the row: all recorded cases, each centred and in units of its own SD.
std::vector<Noise> recorded_shape() {
  std::vector<Noise> noises;
  const RecordedRounds record = recorded_elsewhere("fine");
  for (std::size_t c = 0; c < record.cases.size(); ++c) {
    noises.push_back(recorded_noise(record.cases[c], record.d[c], true));
  }
  return noises;
}

Outcome simulate(std::uint64_t id, const Cell& cell, const std::vector<Noise>& noises,
                 const Options& options) {
  const std::vector<stats::Look> looks = stats::default_looks();
  const std::vector<double> taus(kSuite, std::log1p(kTolerance));
  struct Trial {
    stats::Outcome outcome = stats::Outcome::kUndecided;
    double rounds = 0.0;
    bool false_fail = false;
  };
  std::vector<Trial> trials(options.trials);
  stats::parallel_for(trials.size(), options.threads, [&](std::size_t t) {
    Stream stream(id, t);
    stats::Matrix d(kRounds, kSuite);
    for (std::size_t c = 0; c < kSuite; ++c) {
      const Noise& noise = noises[stream.below(noises.size())];
      const double effect = c == 0 ? std::log1p(cell.slowdown) : 0.0;
      for (std::size_t r = 0; r < kRounds; ++r) {
        d(r, c) = effect + cell.round_sd * noise.draw(stream) / noise.sd;
      }
    }
    const stats::GateRun run = stats::run_gate(d, taus, looks);
    trials[t] = {run.columns[0].outcome, static_cast<double>(run.columns[0].rounds), false};
    for (std::size_t c = 1; c < kSuite; ++c) {
      trials[t].false_fail =
          trials[t].false_fail || run.columns[c].outcome == stats::Outcome::kFail;
    }
  });
  Outcome outcome{0.0, 0.0, 0.0, 0.0, 0};
  std::vector<double> rounds;
  for (const Trial& trial : trials) {
    outcome.fail += trial.outcome == stats::Outcome::kFail ? 1.0 : 0.0;
    outcome.pass += trial.outcome == stats::Outcome::kPass ? 1.0 : 0.0;
    outcome.false_fails += trial.false_fail ? 1 : 0;
    rounds.push_back(trial.rounds);
  }
  const auto count = static_cast<double>(trials.size());
  outcome.fail *= 100.0 / count;
  outcome.pass *= 100.0 / count;
  outcome.rounds = stats::mean(rounds);
  outcome.rounds_sd = rounds.size() > 1 ? stats::sample_sd(rounds) : 0.0;
  return outcome;
}

// Standard errors between two shares in %; both rest on a finite number of trials. One more success
// and failure each (Agresti and Coull, 1998) keep 0 and 100 % comparable.
double share_distance(double ours, double theirs, double trials) {
  if (ours == theirs) return 0.0;
  const auto smoothed = [](double percent, double n) {
    return (percent / 100.0 * n + 1.0) / (n + 2.0);
  };
  const double p = smoothed(ours, trials);
  const double q = smoothed(theirs, kReferenceTrials);
  return (p - q) / std::sqrt(p * (1.0 - p) / trials + q * (1.0 - q) / kReferenceTrials);
}

std::string share(double percent) {
  return fixed(percent, percent > 0.0 && percent < 10.0 ? 1 : 0);
}

// "ours (theirs)", or ours alone.
std::string with_reference(const std::string& ours, double theirs, int digits) {
  return theirs < 0.0 ? ours : ours + " (" + fixed(theirs, digits) + ")";
}

class Characteristics {
 public:
  Characteristics(const Options& options, Checks& checks) : options_(options), checks_(checks) {}

  void add(const std::string& shape, const std::vector<Noise>& noises, const Cell& cell) {
    const Outcome ours = simulate(++id_, cell, noises, options_);
    const auto trials = static_cast<double>(options_.trials);
    const std::string name = shape + ", round SD " + fixed(100.0 * cell.round_sd, 1) + " %, " +
                             fixed(100.0 * cell.slowdown, 0) + " %";
    double worst = 0.0;
    const auto compare = [&](double mine, double theirs, const std::string& what) {
      if (theirs < 0.0) return;
      const double z = share_distance(mine, theirs, trials);
      worst = std::max(worst, std::fabs(z));
      checks_.expect(std::fabs(z) <= 4.0, name + ": " + what + " " + fixed(mine, 1) + " % and " +
                                              fixed(theirs, 1) + " % are " + fixed(z, 1) +
                                              " standard errors apart");
    };
    compare(ours.fail, cell.reference.fail, "FAIL");
    compare(ours.pass, cell.reference.pass, "PASS");
    if (cell.reference.rounds >= 0.0) {
      // The reference prints whole rounds or one decimal.
      const double se = ours.rounds_sd * std::sqrt(1.0 / trials + 1.0 / kReferenceTrials);
      checks_.expect(
          std::fabs(ours.rounds - cell.reference.rounds) <= 4.0 * se + 0.5,
          name + ": " + fixed(ours.rounds, 1) + " rounds, not " + fixed(cell.reference.rounds, 1));
    }
    if (ours.fail + ours.pass >= 90.0) {
      decided_rounds_.push_back(ours.rounds);
    }
    false_fails_ += ours.false_fails;
    gates_ += options_.trials;
    table_.rows.push_back(
        {shape, fixed(100.0 * cell.round_sd, 1) + " %", fixed(100.0 * cell.slowdown, 0) + " %",
         with_reference(share(ours.fail), cell.reference.fail, 1),
         with_reference(share(ours.pass), cell.reference.pass, 1),
         share(100.0 - ours.fail - ours.pass),
         with_reference(fixed(ours.rounds, 1), cell.reference.rounds, 0), fixed(worst, 1)});
  }

  int finish() {
    const double average = stats::mean(decided_rounds_);
    checks_.expect(average <= 0.5 * static_cast<double>(kRounds),
                   "the decided cells take " + fixed(average, 1) + " rounds on average");
    checks_.expect(static_cast<double>(false_fails_) <= 0.001 * static_cast<double>(gates_),
                   "unchanged cases fail in " + std::to_string(false_fails_) + " gates");
    print(table_);
    Table summary{
        "operating_summary",
        {"", ""},
        {{"cells in which at least 90 % of gates decide", std::to_string(decided_rounds_.size())},
         {"rounds there, on average (a fixed plan: 40)", fixed(average, 1)},
         {"gates that failed one of the 19 unchanged cases",
          std::to_string(false_fails_) + " of " + std::to_string(gates_)}}};
    print(summary);
    return checks_.finish(options_.check);
  }

 private:
  const Options& options_;
  Checks& checks_;
  Table table_{"operating_characteristics",
               {"noise", "round SD", "slowdown", "FAIL %", "PASS %", "undecided %", "rounds",
                "largest difference, SE"},
               {}};
  std::vector<double> decided_rounds_;
  std::size_t false_fails_ = 0;
  std::size_t gates_ = 0;
  std::uint64_t id_ = 9000;
};

int run(const Options& options) {
  Checks checks;
  Characteristics table(options, checks);
  const std::vector<Noise> recorded = recorded_shape();
  constexpr std::array<double, 6> kSlowdowns = {0.0, 0.01, 0.02, 0.03, 0.05, 0.10};
  struct Row {
    double round_sd;
    std::array<Outcome, 6> cells;
  };
  const std::array<Row, 4> rows = {{
      {0.003,
       {{{0, 100, 6.0}, {0, 100, 6.2}, {1.2, 3.8, 39}, {100, 0, 10}, {100, 0, 10}, {100, 0, 10}}}},
      {0.01,
       {{{0, 100, 6.8}, {0, 100, 11}, {0.6, 5.4, 39}, {100, 0, 17}, {100, 0, 10}, {100, 0, 10}}}},
      {0.03,
       {{{0, 98, 17}, {0, 58, 30}, {0.4, 4.2, 39}, {37, 0.2, 38}, {99.8, 0, 22}, {100, 0, 11}}}},
      {0.06,
       {{{0, 57, 30}, {0, 22, 36}, {0.2, 4.4, 39}, {2, 0.8, 40}, {50, 0.2, 36}, {100, 0, 18}}}},
  }};
  for (const Row& row : rows) {
    for (std::size_t s = 0; s < kSlowdowns.size(); ++s) {
      table.add("recorded", recorded, {row.round_sd, kSlowdowns[s], row.cells[s]});
    }
  }
  const std::vector<Noise> normal = {normal_noise()};
  const std::array<Cell, 6> normal_cells = {{{0.03, 0.0, {kNoFigure, 97, 19}},
                                             {0.03, 0.03, {17, kNoFigure, kNoFigure}},
                                             {0.03, 0.05, {98.7, kNoFigure, 25}},
                                             {0.06, 0.0, {kNoFigure, 45, kNoFigure}},
                                             {0.06, 0.05, {25, kNoFigure, kNoFigure}},
                                             {0.06, 0.10, {100, kNoFigure, 20}}}};
  for (const Cell& cell : normal_cells) {
    table.add("normal", normal, cell);
  }
  return table.finish();
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(
      argc, argv, "Operating characteristics of the sequential gate, reference in brackets", 2000));
}
