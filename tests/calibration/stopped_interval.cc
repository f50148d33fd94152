// SPDX-License-Identifier: Apache-2.0
// Coverage of the interval that a gate prints after it stopped, and how often it passes a case
// whose slowdown is exactly the tolerance. A gate stops when the interval is where it wants it, so
// an ordinary 95 % interval covers less than 95 % afterwards.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/inference/max_t.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"
#include "tests/calibration/tally.h"

namespace perfgate::calibration {
namespace {

constexpr double kTolerance = 0.02;
constexpr std::size_t kRounds = 40;
constexpr std::size_t kSuite = 20;
// Trials with one case for one trial with a suite, which takes that much longer.
constexpr std::size_t kSuiteDivisor = 3;
constexpr std::array<double, 4> kSds = {0.003, 0.01, 0.03, 0.06};
constexpr double kPlainLevel = 0.025;
constexpr double kOneSidedLevel = 0.05;

double tau() { return std::log1p(kTolerance); }

// Noise of one shape with SD 1. Recorded rounds: another recorded case for every trial and column.
struct Shape {
  std::string name;
  std::vector<Noise> noises;

  double draw(std::size_t trial, std::size_t column, Stream& stream) const {
    const Noise& noise = noises[(trial + column) % noises.size()];
    return noise.draw(stream) / noise.sd;
  }
};

std::vector<Shape> shapes() {
  Shape recorded{"recorded A/A", {}};
  const RecordedRounds rounds = recorded_by_perfgate();
  for (std::size_t c = 0; c < rounds.cases.size(); ++c) {
    recorded.noises.push_back(recorded_noise(rounds.cases[c], rounds.d[c], false));
  }
  std::vector<Shape> all;
  for (const Noise& noise : {normal_noise(), t3_noise(), contaminated_noise(0.1)}) {
    all.push_back({noise.name, {noise}});
  }
  // Its centre lies between the states; the draws of the others are centred at 0 already.
  Noise bimodal = bimodal_noise(0.5);
  bimodal.draw = [draw = bimodal.draw, mean = bimodal.mean](Stream& s) { return draw(s) - mean; };
  all.push_back({bimodal.name, {bimodal}});
  all.push_back(recorded);
  return all;
}

// The case under study and its round SD; the others of its suite are unchanged and as noisy.
struct Situation {
  std::string change;
  double effect = 0.0;  // log units
  double sd = 0.0;
  bool at_tolerance = false;
};

std::vector<Situation> situations() {
  std::vector<Situation> all;
  all.reserve(4 * kSds.size());
  for (const double sd : kSds) {
    all.push_back({"none", 0.0, sd});
  }
  for (const double sd : kSds) {
    all.push_back({"tolerance - 1 SD", tau() - sd, sd});
  }
  for (const double sd : kSds) {
    all.push_back({"tolerance", tau(), sd, true});
  }
  for (const double sd : kSds) {
    all.push_back({"tolerance + 1 SD", tau() + sd, sd});
  }
  return all;
}

// Column 0 is the case under study.
stats::Matrix draw_rounds(const Shape& shape, const Situation& situation, std::size_t columns,
                          std::size_t trial, Stream& stream) {
  stats::Matrix d(kRounds, columns);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < kRounds; ++r) {
      d(r, c) = (c == 0 ? situation.effect : 0.0) + situation.sd * shape.draw(trial, c, stream);
    }
  }
  return d;
}

struct Stopped {
  stats::Interval interval;
  bool passed = false;
};

Stopped by_perfgate(const stats::Matrix& d, const std::vector<stats::Look>& looks) {
  const std::vector<double> taus(d.cols, tau());
  const stats::ColumnState state = stats::run_gate(d, taus, looks).columns.front();
  return {state.interval, state.outcome == stats::Outcome::kPass};
}

// The same gate for one case with a textbook interval of per-side level `level`, as if every look
// were the only one: PASS where it ends below the tolerance, and that interval is printed.
Stopped by_plain_interval(const stats::Matrix& d, const std::vector<stats::Look>& looks,
                          double level) {
  const std::vector<double> rounds = d.column(0);
  Stopped stopped;
  for (const stats::Look& look : looks) {
    const auto n = static_cast<std::size_t>(look.rounds);
    stopped.interval = stats::signed_rank_interval(std::span(rounds).first(n), level);
    if (stopped.interval.hi < tau()) {
      stopped.passed = true;
      return stopped;
    }
    stats::Matrix x(n, 1);
    for (std::size_t r = 0; r < n; ++r) {
      x(r, 0) = rounds[r] - tau();
    }
    if (look.alpha > 0.0 && stats::max_t(x).p_adjusted.front() <= look.alpha) {
      return stopped;
    }
  }
  return stopped;
}

enum : std::size_t {
  kCovered,
  kPassed,
  kPlainCovered,
  kPlainPassed,
  kOneSidedCovered,
  kOneSidedPassed,
  kSuiteCovered,
  kSuitePassed,
  kCounters
};
using Shares = std::array<double, kCounters>;

Shares run_cell(const Shape& shape, const Situation& situation, std::size_t cell,
                const Options& options) {
  const std::vector<stats::Look> looks = stats::default_looks();
  const auto count = [&](const Stopped& stopped, std::span<std::size_t> pair) {
    const stats::Interval& interval = stopped.interval;
    pair[0] += interval.lo <= situation.effect && situation.effect <= interval.hi ? 1 : 0;
    pair[1] += stopped.passed ? 1 : 0;
  };
  const std::size_t suite_trials = std::max<std::size_t>(1, options.trials / kSuiteDivisor);
  const auto hits =
      tally(options.trials, options.threads, kCounters, [&](const Batch& batch, auto found) {
        for (std::size_t trial = batch.first; trial < batch.last; ++trial) {
          Stream stream(cell, trial);
          const stats::Matrix alone = draw_rounds(shape, situation, 1, trial, stream);
          count(by_perfgate(alone, looks), found.subspan(kCovered, 2));
          count(by_plain_interval(alone, looks, kPlainLevel), found.subspan(kPlainCovered, 2));
          if (situation.at_tolerance) {
            count(by_plain_interval(alone, looks, kOneSidedLevel),
                  found.subspan(kOneSidedCovered, 2));
          }
          if (trial < suite_trials) {
            const stats::Matrix suite = draw_rounds(shape, situation, kSuite, trial, stream);
            count(by_perfgate(suite, looks), found.subspan(kSuiteCovered, 2));
          }
        }
      });
  Shares shares{};
  for (std::size_t i = 0; i < kCounters; ++i) {
    shares[i] = share(hits[i], i >= kSuiteCovered ? suite_trials : options.trials);
  }
  return shares;
}

struct Row {
  std::array<Extremes, kCounters> range;  // over shapes in a row of situations, else over SDs
};

void check_cell(const Shape& shape, const Situation& situation, const Shares& shares,
                Checks& checks) {
  const std::string cell = shape.name + ", change: " + situation.change + ", SD " +
                           fixed(100.0 * situation.sd, 1) + " %: ";
  for (const std::size_t i : {kCovered, kSuiteCovered}) {
    checks.expect(0.925 <= shares[i] && shares[i] <= 0.995,
                  "the printed interval covers 92.5 to 99.5 %; " + cell + percent(shares[i]));
  }
  if (situation.at_tolerance) {
    for (const std::size_t i : {kPassed, kSuitePassed}) {
      checks.expect(shares[i] < 0.06, "PASS at the tolerance; " + cell + percent(shares[i]));
    }
    // Why the gate does not use the textbook interval.
    checks.expect(shares[kPlainCovered] < 0.925,
                  "a plain CI95 covers too little; " + cell + percent(shares[kPlainCovered]));
    checks.expect(shares[kOneSidedPassed] > 0.1, "a plain 95 % bound passes too often; " + cell +
                                                     percent(shares[kOneSidedPassed]));
  }
}

void print_tables(const std::vector<Situation>& all, const std::vector<Row>& rows,
                  const std::vector<Shape>& shapes, const std::vector<Row>& pass_rows) {
  Table coverage{"stopped_interval",
                 {"true change", "round SD", "one case", "one case, plain CI95 at every look",
                  "one case of a suite of 20"},
                 {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    coverage.rows.push_back(
        {all[i].change, fixed(100.0 * all[i].sd, 1) + " %", rows[i].range[kCovered].percent(),
         rows[i].range[kPlainCovered].percent(), rows[i].range[kSuiteCovered].percent()});
  }
  print(coverage);
  Table pass{"stopped_false_pass",
             {"noise", "one case", "one case of a suite of 20",
              "one case, upper end of a plain CI95 at every look",
              "one case, one-sided 95 % bound at every look"},
             {}};
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const auto& range = pass_rows[s].range;
    pass.rows.push_back({shapes[s].name, range[kPassed].percent(), range[kSuitePassed].percent(),
                         range[kPlainPassed].percent(), range[kOneSidedPassed].percent()});
  }
  print(pass);
}

int run(const Options& options) {
  const std::vector<Shape> all_shapes = shapes();
  const std::vector<Situation> all = situations();
  std::vector<Row> rows(all.size());
  std::vector<Row> pass_rows(all_shapes.size());
  Checks checks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t s = 0; s < all_shapes.size(); ++s) {
      const Shares shares = run_cell(all_shapes[s], all[i], 100 * i + s, options);
      check_cell(all_shapes[s], all[i], shares, checks);
      for (std::size_t c = 0; c < kCounters; ++c) {
        rows[i].range[c].add(shares[c]);
        if (all[i].at_tolerance) {
          pass_rows[s].range[c].add(shares[c]);
        }
      }
    }
  }
  print_tables(all, rows, all_shapes, pass_rows);
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  namespace calibration = perfgate::calibration;
  return calibration::run(calibration::parse_options(
      argc, argv,
      "Coverage of the interval after a gate stopped; suites from a third of the trials", 6000));
}
