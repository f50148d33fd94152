// SPDX-License-Identifier: Apache-2.0
// How good is "about N more rounds (a to b)", and "smallest detectable slowdown"?
//
// N rounds are "needed" when the upper bound of the interval at 1 % per side ends below the
// tolerance with probability 80 % for a case whose true distance to it is theta. From n0 rounds the
// product predicts N; the truth is found by simulating the same bound at every n. Two questions:
// how far off is the prediction when only the noise must be estimated (theta given, as the figures
// in brackets assume), and does the printed range, which also allows for the error of the estimated
// distance, hold the truth as often as it says? Rounds beyond 155 count as 155.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/scale.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr std::array<int, 4> kFirstRounds = {6, 10, 16, 24};
constexpr double kLevel = stats::kPassPlanningAlpha;
constexpr double kTheta = 0.6;  // in round SD: about 31 rounds for normal noise

// Noise in units of its own SD. Recorded cases take turns.
struct Shape {
  std::string name;
  std::vector<Noise> noises;
  bool stable = true;  // false: stuck states, which predictions cannot know of

  std::vector<double> rounds(Stream& stream, std::size_t trial, int n) const {
    const Noise& noise = noises[trial % noises.size()];
    std::vector<double> d(static_cast<std::size_t>(n));
    for (double& value : d) value = noise.draw(stream) / noise.sd;
    return d;
  }
};

Shape recorded_shape(std::string name, const RecordedRounds& record) {
  Shape shape{std::move(name), {}, true};
  for (std::size_t c = 0; c < record.cases.size(); ++c) {
    shape.noises.push_back(recorded_noise(record.cases[c], record.d[c], true));
  }
  return shape;
}

// The numbers of rounds at which the power is simulated; between them it is interpolated.
constexpr std::array<int, 20> kGrid = {7,  8,  10, 12, 14, 17, 20, 23,  27,  32,
                                       38, 45, 53, 62, 72, 84, 98, 114, 133, 155};

// Power of the bound at every number of rounds, for one noise.
class Truth {
 public:
  Truth(const Noise& noise, std::uint64_t id, std::size_t trials, std::size_t threads) {
    std::array<stats::SignedRankCutoff, kGrid.size()> cutoffs;
    for (std::size_t g = 0; g < kGrid.size(); ++g) {
      cutoffs[g] = stats::signed_rank_cutoff(kGrid[g], kLevel);
    }
    std::vector<std::array<char, kGrid.size()>> passed(trials);
    stats::parallel_for(trials, threads, [&](std::size_t t) {
      Stream stream(id, t);
      std::vector<double> d(static_cast<std::size_t>(kGrid.back()));
      for (double& value : d) value = noise.draw(stream) / noise.sd;
      for (std::size_t g = 0; g < kGrid.size(); ++g) {
        const std::span<const double> first(d.data(), static_cast<std::size_t>(kGrid[g]));
        passed[t][g] = stats::signed_rank_interval(first, cutoffs[g]).hi < kTheta ? 1 : 0;
      }
    });
    for (const auto& trial : passed) {
      for (std::size_t g = 0; g < kGrid.size(); ++g) {
        power_[g] += trial[g] / static_cast<double>(trials);
      }
    }
  }

  double power(double n) const {
    if (n <= kGrid.front()) return power_.front();
    if (n >= kGrid.back()) return power_.back();
    const auto above =
        static_cast<std::size_t>(std::upper_bound(kGrid.begin(), kGrid.end(), n) - kGrid.begin());
    const double share = (n - kGrid[above - 1]) / (kGrid[above] - kGrid[above - 1]);
    return std::lerp(power_[above - 1], power_[above], share);
  }

  // Just above the last number whose power is below 80 %.
  int rounds() const {
    int n = kGrid.back();
    while (n > kGrid.front() && power(n - 1) >= 0.8) --n;
    return n;
  }

 private:
  std::array<double, kGrid.size()> power_{};
};

// Accuracy that is to be reached, from an independent implementation of the same formulas.
struct Reference {
  std::string shape;
  int n0;
  double lo, middle, hi;  // predicted / true, 10-50-90 %
};
constexpr const char* kAlternated = "recorded, alternated slices";
const std::array<Reference, 8> kReferences = {{{"normal", 6, .36, .86, 1.68},
                                               {"normal", 10, .50, .93, 1.57},
                                               {"normal", 16, .61, 1.00, 1.57},
                                               {"normal", 24, .68, 1.00, 1.43},
                                               {kAlternated, 6, .30, .90, 2.37},
                                               {kAlternated, 10, .43, 1.03, 2.23},
                                               {kAlternated, 16, .43, .97, 1.83},
                                               {kAlternated, 24, .43, .90, 1.53}}};

std::string spread(double lo, double middle, double hi) {
  return fixed(lo, 2) + " - " + fixed(middle, 2) + " - " + fixed(hi, 2);
}

struct Forecasts {
  std::vector<double> ratios;
  double power = 0.0;
  double held = 0.0;
  double unstable = 0.0;
};

Forecasts forecast(const Shape& shape, const std::vector<Truth>& truths, int n0, std::uint64_t id,
                   const Options& options) {
  struct Trial {
    double ratio, power;
    bool held, unstable;
  };
  std::vector<Trial> trials(options.trials);
  stats::parallel_for(trials.size(), options.threads, [&](std::size_t t) {
    Stream stream(id, t);
    const std::vector<double> d = shape.rounds(stream, t, n0);
    const Truth& truth = truths[t % truths.size()];
    const int n = truth.rounds();
    const double s = stats::noise_sd(d);
    const int known = *stats::rounds_needed(s, kTheta, kLevel);
    const auto range = stats::forecast_rounds(s, kTheta - stats::hodges_lehmann(d), kLevel, n0);
    trials[t] = {static_cast<double>(known) / n, truth.power(known),
                 range && range->lo <= n && (!range->hi || n <= *range->hi),
                 stats::noise_is_unstable(d)};
  });
  Forecasts all;
  const double weight = 1.0 / static_cast<double>(trials.size());
  for (const Trial& trial : trials) {
    all.ratios.push_back(trial.ratio);
    all.power += weight * trial.power;
    all.held += trial.held ? weight : 0.0;
    all.unstable += trial.unstable ? weight : 0.0;
  }
  return all;
}

void check(Checks& checks, const Shape& shape, int n0, const Forecasts& all, double lo,
           double middle, double hi) {
  const std::string name = shape.name + " from " + std::to_string(n0) + " rounds";
  for (const Reference& reference : kReferences) {
    if (reference.shape != shape.name || reference.n0 != n0) continue;
    checks.expect(hi / lo <= 1.25 * reference.hi / reference.lo,
                  name + ": predictions spread by " + fixed(hi / lo, 1) + "x, not " +
                      fixed(reference.hi / reference.lo, 1) + "x");
    checks.expect(middle > 0.7 && middle < 1.3,
                  name + ": predictions are off by " + fixed(middle, 2) + " in the middle");
  }
  if (!shape.stable) return;  // such noise is to be called unstable, not predicted
  if (n0 >= 10) {
    checks.expect(all.power >= 0.70, name + ": power " + fixed(all.power, 2));
  }
  checks.expect(all.held >= (n0 >= 10 ? 0.75 : 0.70) && all.held <= 0.90,
                name + ": the range holds " + fixed(100.0 * all.held, 0) + " %");
}

Table rounds_needed(const std::vector<Shape>& shapes, const Options& options, Checks& checks) {
  Table table{"rounds_needed",
              {"noise", "from rounds", "predicted / true, 10-50-90 %", "reference",
               "power at the predicted number", "range holds the truth", "called unstable"},
              {}};
  std::uint64_t id = 20000;
  double most_unstable = 0.0;
  for (const Shape& shape : shapes) {
    const std::size_t trials = std::max<std::size_t>(500, 2 * options.trials / shape.noises.size());
    std::vector<Truth> truths;
    for (const Noise& noise : shape.noises) {
      truths.emplace_back(noise, ++id, trials, options.threads);
    }
    for (const int n0 : kFirstRounds) {
      const Forecasts all = forecast(shape, truths, n0, ++id, options);
      const double lo = stats::sample_quantile(all.ratios, 0.1);
      const double middle = stats::sample_quantile(all.ratios, 0.5);
      const double hi = stats::sample_quantile(all.ratios, 0.9);
      std::string theirs = "-";
      for (const Reference& reference : kReferences) {
        if (reference.shape == shape.name && reference.n0 == n0) {
          theirs = spread(reference.lo, reference.middle, reference.hi);
        }
      }
      table.rows.push_back({shape.name, std::to_string(n0), spread(lo, middle, hi), theirs,
                            fixed(all.power, 2), fixed(100.0 * all.held, 0) + " %",
                            fixed(100.0 * all.unstable, 0) + " %"});
      check(checks, shape, n0, all, lo, middle, hi);
      if (!shape.stable) most_unstable = std::max(most_unstable, all.unstable);
      if (shape.name == "normal") {
        checks.expect(all.unstable <= 0.01, "normal noise is called unstable");
      }
    }
  }
  checks.expect(most_unstable >= 0.25, "noise with stuck states is not called unstable");
  return table;
}

// A fresh suite of one case, slower by the smallest detectable slowdown that n rounds printed: how
// often does the flip test find it?
double power_at_printed(const Shape& shape, int n, double level, std::uint64_t id,
                        const Options& options) {
  std::vector<char> found(options.trials, 0);
  stats::parallel_for(found.size(), options.threads, [&](std::size_t t) {
    Stream stream(id, t);
    const double s = stats::noise_sd(shape.rounds(stream, t, n));
    stats::Matrix x(static_cast<std::size_t>(n), 1);
    x.data = shape.rounds(stream, t, n);
    for (double& value : x.data) value += stats::detectable_distance(s, n, level);
    found[t] = stats::max_t(x).p_adjusted.front() <= level ? 1 : 0;
  });
  return static_cast<double>(std::count(found.begin(), found.end(), 1)) /
         static_cast<double>(found.size());
}

Table detectable(const std::vector<Shape>& shapes, const Options& options, Checks& checks) {
  Table table{"detectable", {"noise", "rounds", "power at level .05", "power at level .003"}, {}};
  std::uint64_t id = 30000;
  for (const Shape& shape : shapes) {
    for (const int n : {10, 16, 24}) {
      const double loose = power_at_printed(shape, n, 0.05, ++id, options);
      const double strict = power_at_printed(shape, n, 0.003, ++id, options);
      table.rows.push_back({shape.name, std::to_string(n), fixed(loose, 2), fixed(strict, 2)});
      const double least = shape.stable ? 0.62 : 0.50;
      checks.expect(loose >= 0.70 && strict >= least,
                    shape.name + ", " + std::to_string(n) + " rounds: power " + fixed(loose, 2) +
                        " and " + fixed(strict, 2) + " at the printed slowdown");
    }
  }
  return table;
}

int run(const Options& options) {
  std::vector<Shape> shapes = {{"normal", {normal_noise()}, true},
                               {"t, 3 d.f.", {t3_noise()}, true}};
  shapes.push_back(recorded_shape(kAlternated, recorded_elsewhere("fine")));
  shapes.push_back(recorded_shape("recorded by perfgate", recorded_by_perfgate()));
  shapes.push_back(
      recorded_shape("recorded, one process after the other", recorded_elsewhere("proc")));
  shapes.back().stable = false;
  Checks checks;
  print(rounds_needed(shapes, options, checks));
  print(detectable(shapes, options, checks));
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(
      argc, argv, "Accuracy of the predicted rounds and the smallest detectable slowdown", 4000));
}
