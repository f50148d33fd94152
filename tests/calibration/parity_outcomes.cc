// SPDX-License-Identifier: Apache-2.0
// What parity says of an agent that is so much slower or faster than a human: match, win, loss or
// unresolved, by one test after a fixed number of rounds and by the sequential one.
//
// Margin 5 %; every trial is one pair of arms judged by the product (parity_fixed,
// parity_sequential with the default looks). Beside our figures stand those of an independent
// implementation of the same procedure (1500 trials a cell), with which they must agree.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/parity.h"
#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr double kMargin = 0.05;
constexpr double kReferenceTrials = 1500.0;
constexpr double kNoFigure = -1.0;  // the reference does not say
constexpr std::array<double, 8> kEffects = {0.0, 0.02, 0.04, 0.05, 0.06, 0.08, 0.10, -0.10};

struct Reference {
  double match = kNoFigure;  // shares in %
  double loss = kNoFigure;
  double win = kNoFigure;
  double rounds = kNoFigure;
};

struct Design {
  double round_sd;
  int rounds;  // fixed; 0: sequential
  std::array<Reference, kEffects.size()> cells;
};

// NaN-free shorthand of the reference's table.
constexpr Reference match(double percent, double rounds = kNoFigure) {
  return {percent, kNoFigure, kNoFigure, rounds};
}
constexpr Reference loss(double percent, double rounds = kNoFigure) {
  return {kNoFigure, percent, kNoFigure, rounds};
}
constexpr Reference both(double match, double loss, double rounds = kNoFigure) {
  return {match, loss, kNoFigure, rounds};
}
constexpr Reference win(double percent, double rounds = kNoFigure) {
  return {kNoFigure, kNoFigure, percent, rounds};
}

const std::vector<Design> kDesigns = {
    {0.01,
     10,
     {match(100), match(100), match(86), both(4.2, 1.8), loss(75), loss(99.9), loss(100),
      win(100)}},
    {0.01,
     0,
     {match(100, 6), match(100, 6), match(100, 12), both(3.9, 3.9), loss(99.9, 12), loss(100, 6),
      loss(100, 6), win(100, 6)}},
    {0.03,
     10,
     {match(98), match(87), match(30), both(4.7, 1.7), both(0.2, 22), loss(75), loss(96), win(98)}},
    {0.03,
     0,
     {match(100, 8), match(99.9, 11), match(57, 31), both(4.1, 3.3), both(0.1, 55, 31),
      loss(99.9, 12), loss(100, 8), win(100, 7)}},
    {0.06,
     10,
     {match(59), match(41), both(13, 0.7), both(3.9, 2.1), both(1.1, 9), loss(36), loss(63),
      win(75)}},
    {0.06,
     24,
     {match(98), match(80), match(24), both(6.0, 2.4), loss(17), loss(70), loss(97), win(99)}},
    {0.06,
     0,
     {match(99.6, 18), match(88, 25), both(21, 0.9, 37), both(3.6, 3.9), both(0.8, 22, 36),
      loss(83, 24), loss(99.6, 14), win(100, 12)}},
};

struct Shares {
  double match = 0.0;  // %
  double loss = 0.0;
  double win = 0.0;
  double rounds = 0.0;  // mean
  double rounds_sd = 0.0;
};

std::vector<int> default_round_counts() {
  std::vector<int> rounds;
  for (const stats::Look& look : stats::default_looks()) rounds.push_back(look.rounds);
  return rounds;
}

std::vector<Noise> recorded_shape() {
  std::vector<Noise> noises;
  const RecordedRounds record = recorded_elsewhere("fine");
  for (std::size_t c = 0; c < record.cases.size(); ++c) {
    noises.push_back(recorded_noise(record.cases[c], record.d[c], true));
  }
  return noises;
}

Shares simulate(std::uint64_t id, const Design& design, double effect,
                const std::vector<Noise>& noises, const Options& options) {
  const std::vector<int> looks = default_round_counts();
  const std::size_t rounds =
      static_cast<std::size_t>(design.rounds > 0 ? design.rounds : looks.back());
  std::vector<stats::Parity> trials(options.trials);
  stats::parallel_for(trials.size(), options.threads, [&](std::size_t t) {
    Stream stream(id, t);
    const Noise& noise = noises[stream.below(noises.size())];
    std::vector<double> d(rounds);
    for (double& value : d) {
      value = std::log1p(effect) + design.round_sd * noise.draw(stream) / noise.sd;
    }
    trials[t] = design.rounds > 0 ? stats::parity_fixed(d, kMargin)
                                  : stats::parity_sequential(d, kMargin, looks);
  });
  Shares shares;
  std::vector<double> used;
  for (const stats::Parity& trial : trials) {
    shares.match += trial.outcome == stats::ParityOutcome::kMatch ? 1.0 : 0.0;
    shares.loss += trial.outcome == stats::ParityOutcome::kLoss ? 1.0 : 0.0;
    shares.win += trial.outcome == stats::ParityOutcome::kWin ? 1.0 : 0.0;
    used.push_back(trial.rounds);
  }
  const double percent = 100.0 / static_cast<double>(trials.size());
  shares.match *= percent;
  shares.loss *= percent;
  shares.win *= percent;
  shares.rounds = stats::mean(used);
  shares.rounds_sd = used.size() > 1 ? stats::sample_sd(used) : 0.0;
  return shares;
}

// Standard errors between two shares in %, both from a finite number of trials; one more success
// and failure each keep 0 and 100 % comparable (Agresti and Coull, 1998).
double share_distance(double ours, double theirs, double trials) {
  const auto smoothed = [](double percent, double n) {
    return (percent / 100.0 * n + 1.0) / (n + 2.0);
  };
  const double p = smoothed(ours, trials);
  const double q = smoothed(theirs, kReferenceTrials);
  // What the reference prints is rounded to whole per cents from 10 % on.
  const double rounding = theirs >= 10.0 && theirs < 99.5 ? 0.005 : 0.0005;
  const double distance = std::max(0.0, std::fabs(p - q) - rounding);
  return distance / std::sqrt(p * (1.0 - p) / trials + q * (1.0 - q) / kReferenceTrials);
}

std::string share(double percent) {
  return fixed(percent,
               (percent > 0.0 && percent < 10.0) || (percent > 99.0 && percent < 100.0) ? 1 : 0);
}

// "M86 L1.8 (12)", leaving out what is 0.
std::string text_of(const Shares& shares, bool sequential) {
  std::string text;
  const auto add = [&](char letter, double percent) {
    if (percent <= 0.0) return;
    text += (text.empty() ? "" : " ") + std::string(1, letter) + share(percent);
  };
  add('M', shares.match);
  add('L', shares.loss);
  add('W', shares.win);
  return text + (sequential ? " (" + fixed(shares.rounds, 0) + ")" : "");
}

class Outcomes {
 public:
  Outcomes(const Options& options, Checks& checks) : options_(options), checks_(checks) {
    table_.header = {"round SD", "design"};
    for (const double effect : kEffects) {
      table_.header.push_back((effect > 0 ? "+" : "") + fixed(100 * effect, 0) + " %");
    }
    table_.header.emplace_back("largest difference, SE");
  }

  void add(const Design& design, const std::vector<Noise>& noises) {
    const bool sequential = design.rounds == 0;
    std::vector<std::string> row = {
        fixed(100 * design.round_sd, 0) + " %",
        sequential ? "sequential (rounds)" : "n = " + std::to_string(design.rounds)};
    double worst = 0.0;
    for (std::size_t e = 0; e < kEffects.size(); ++e) {
      const Shares ours = simulate(++id_, design, kEffects[e], noises, options_);
      worst = std::max(worst, compare(row[0] + ", " + row[1], kEffects[e], ours, design.cells[e]));
      check_errors(row[0] + ", " + row[1], kEffects[e], ours);
      row.push_back(text_of(ours, sequential));
    }
    row.push_back(fixed(worst, 1));
    table_.rows.push_back(row);
  }

  int finish() {
    print(table_);
    return checks_.finish(options_.check);
  }

 private:
  double compare(const std::string& design, double effect, const Shares& ours,
                 const Reference& theirs) {
    double worst = 0.0;
    const auto trials = static_cast<double>(options_.trials);
    const auto one = [&](double mine, double other, const std::string& what) {
      if (other < 0.0) return;
      const double z = share_distance(mine, other, trials);
      worst = std::max(worst, z);
      checks_.expect(z <= 4.0, design + ", " + fixed(100 * effect, 0) + " %: " + what + " " +
                                   fixed(mine, 1) + " % and " + fixed(other, 1) + " % are " +
                                   fixed(z, 1) + " standard errors apart");
    };
    one(ours.match, theirs.match, "match");
    one(ours.loss, theirs.loss, "loss");
    one(ours.win, theirs.win, "win");
    if (theirs.rounds >= 0.0) {
      const double se = ours.rounds_sd * std::sqrt(1.0 / trials + 1.0 / kReferenceTrials);
      checks_.expect(
          std::fabs(ours.rounds - theirs.rounds) <= 4.0 * se + 0.5,
          design + ": " + fixed(ours.rounds, 1) + " rounds, not " + fixed(theirs.rounds, 1));
    }
    return worst;
  }

  // Wrong outcomes: a match beyond the margin, a win or a loss within it.
  void check_errors(const std::string& design, double effect, const Shares& ours) {
    constexpr double kAllowed = 5.0;  // %
    const auto trials = static_cast<double>(options_.trials);
    const double slack = 4.0 * 100.0 * std::sqrt(0.05 * 0.95 / trials);
    const double ratio = std::log1p(effect);
    const double margin = std::log1p(kMargin);
    const bool outside = std::fabs(ratio) >= margin - 1e-12;
    const bool inside = std::fabs(ratio) <= margin + 1e-12;
    const std::string where = design + ", " + fixed(100 * effect, 0) + " %: ";
    if (outside) {
      checks_.expect(ours.match <= kAllowed + slack,
                     where + "a match in " + fixed(ours.match, 1) + " %");
    }
    if (inside) {
      checks_.expect(ours.win + ours.loss <= kAllowed + slack,
                     where + "a win or a loss in " + fixed(ours.win + ours.loss, 1) + " %");
    }
  }

  const Options& options_;
  Checks& checks_;
  Table table_{"parity_outcomes", {}, {}};
  std::uint64_t id_ = 15000;
};

int run(const Options& options) {
  Checks checks;
  Outcomes outcomes(options, checks);
  const std::vector<Noise> noises = recorded_shape();
  for (const Design& design : kDesigns) outcomes.add(design, noises);
  return outcomes.finish();
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(argc, argv,
                           "Outcomes of parity at a margin of 5 %: match, loss and win in %, mean "
                           "rounds in brackets",
                           4000));
}
