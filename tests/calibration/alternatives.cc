// SPDX-License-Identifier: Apache-2.0
// How often all intervals of `perfgate compare` hold the true speed-ups at once. Where they do and
// the alternatives do not differ, they are a tie.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/stats/inference/simultaneous.h"
#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

struct Cell {
  std::string name;
  Noise noise;
  double shared = 0;  // SD of what hits all arms of a round alike, in SDs of the noise
};

stats::Matrix draw_rounds(const Cell& cell, std::size_t rounds, std::size_t arms, Stream& stream) {
  stats::Matrix y(rounds, arms);
  for (std::size_t r = 0; r < rounds; ++r) {
    const double shock = cell.shared * stream.normal();
    for (std::size_t a = 0; a < arms; ++a) {
      // Arm a is slower by a tenth of an SD each: truth is no special place for the intervals.
      y(r, a) = shock + 0.1 * static_cast<double>(a) +
                (cell.noise.draw(stream) - cell.noise.mean) / cell.noise.sd;
    }
  }
  return y;
}

// In how many trials every interval holds the truth.
std::size_t simulate(const Cell& cell, std::uint64_t id, std::size_t rounds, std::size_t arms,
                     const Options& options) {
  std::vector<std::size_t> held(options.trials);
  stats::parallel_for(options.trials, options.threads, [&](std::size_t trial) {
    Stream stream(id, trial);
    const stats::Simultaneous found = stats::SimultaneousIntervals(
        draw_rounds(cell, rounds, arms, stream), stats::AllPairs(arms));
    held[trial] = std::all_of(
        found.intervals.begin(), found.intervals.end(), [](const stats::SimultaneousInterval& i) {
          const double truth =
              0.1 * (static_cast<double>(i.pair.second) - static_cast<double>(i.pair.first));
          return i.interval.valid && i.interval.lo <= truth && truth <= i.interval.hi;
        });
  });
  return std::accumulate(held.begin(), held.end(), std::size_t{0});
}

int run(const Options& options) {
  Checks checks;
  Table table{
      "alternatives_coverage", {"noise", "alternatives", "rounds", "all intervals hold, %"}, {}};
  const std::vector<Cell> cells = {{"normal", normal_noise(), 0},
                                   {"normal, common shocks of 3 SD", normal_noise(), 3},
                                   {"t 3 d.f.", t3_noise(), 0},
                                   {"bimodal 70/30", bimodal_noise(0.7), 0},
                                   {"lognormal, sigma 1", lognormal_noise(1.0), 0}};
  std::uint64_t id = 41000;
  for (const Cell& cell : cells) {
    for (const std::size_t arms : {3U, 5U}) {
      for (const std::size_t rounds : {10U, 16U, 24U}) {
        const std::size_t held = simulate(cell, ++id, rounds, arms, options);
        const double share =
            100.0 * static_cast<double>(held) / static_cast<double>(options.trials);
        checks.expect(share >= 94.0, cell.name + ", " + std::to_string(arms) + " alternatives, " +
                                         std::to_string(rounds) + " rounds: " + fixed(share, 1));
        const stats::ProportionInterval interval = stats::clopper_pearson(held, options.trials);
        table.rows.push_back({cell.name, std::to_string(arms), std::to_string(rounds),
                              fixed(share, 1) + " [" + fixed(100 * interval.lo, 1) + ", " +
                                  fixed(100 * interval.hi, 1) + "]"});
      }
    }
  }
  print(table);
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(
      argc, argv, "Simultaneous coverage of all pairwise intervals of perfgate compare", 2000));
}
