// SPDX-License-Identifier: Apache-2.0
// How often a whole gate fails although nothing is slower than its tolerance.
//
// Every case's true slowdown is exactly the tolerance, the worst place that is still allowed. A
// trial is one gate of the product (run_gate with the default looks, alpha 1 %); it counts when any
// case fails. The second table switches the coins off: the same gate, but one arm always has the
// same role.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/noise.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {
namespace {

constexpr std::size_t kRounds = 40;
constexpr double kRoundSd = 0.01;

// The noise of one gate, rounds x cases, in units of the round SD, before roles are drawn.
using NoiseOfGate = std::function<stats::Matrix(Stream& stream, std::size_t cases)>;

struct Count {
  std::size_t alarms = 0;
  std::size_t gates = 0;

  double percent() const {
    return 100.0 * static_cast<double>(alarms) / static_cast<double>(gates);
  }
};

struct Cell {
  std::uint64_t id = 0;  // of the streams
  std::size_t cases = 1;
  bool coins = true;
};

Count simulate(const Cell& cell, const NoiseOfGate& noise, std::size_t gates, std::size_t threads) {
  const std::vector<stats::Look> looks = stats::default_looks();
  const double tau = std::log1p(0.02);
  const std::vector<double> taus(cell.cases, tau);
  std::vector<char> alarm(gates, 0);
  stats::parallel_for(gates, threads, [&](std::size_t gate) {
    Stream stream(cell.id, gate);
    stats::Matrix d = noise(stream, cell.cases);
    for (std::size_t r = 0; r < d.rows; ++r) {
      const double role = cell.coins && stream.coin() ? -1.0 : 1.0;
      for (std::size_t c = 0; c < d.cols; ++c) d(r, c) = tau + kRoundSd * role * d(r, c);
    }
    alarm[gate] = stats::run_gate(d, taus, looks).suite == stats::Outcome::kFail ? 1 : 0;
  });
  Count count{0, gates};
  for (const char one : alarm) count.alarms += static_cast<std::size_t>(one);
  return count;
}

std::string text(const Count& count) {
  const stats::ProportionInterval interval = stats::clopper_pearson(count.alarms, count.gates);
  return fixed(count.percent(), 2) + " [" + fixed(100.0 * interval.lo, 2) + ", " +
         fixed(100.0 * interval.hi, 2) + "]";
}

// Cases share `shared` of their variance: one shock per round that moves all of them.
NoiseOfGate correlated(const Noise& shape, double shared) {
  return [shape, shared](Stream& stream, std::size_t cases) {
    stats::Matrix d(kRounds, cases);
    for (std::size_t r = 0; r < d.rows; ++r) {
      const double shock = shared > 0.0 ? shape.draw(stream) - shape.mean : 0.0;
      for (std::size_t c = 0; c < cases; ++c) {
        const double own = shape.draw(stream) - shape.mean;
        d(r, c) = (std::sqrt(shared) * shock + std::sqrt(1.0 - shared) * own) / shape.sd;
      }
    }
    return d;
  };
}

// Whole recorded rounds, so that the cases keep whatever connects them; each case in units of its
// own SD. More cases than were recorded: the record is used again, one round further on.
NoiseOfGate recorded(const RecordedRounds& record) {
  std::vector<std::vector<double>> columns;
  for (const std::vector<double>& d : record.d) {
    const double centre = stats::median(d);
    const double sd = stats::sample_sd(d);
    columns.emplace_back();
    for (const double value : d) columns.back().push_back((value - centre) / sd);
  }
  return [columns](Stream& stream, std::size_t cases) {
    stats::Matrix d(kRounds, cases);
    for (std::size_t r = 0; r < d.rows; ++r) {
      const std::size_t round = stream.below(columns.front().size());
      for (std::size_t c = 0; c < cases; ++c) {
        const std::vector<double>& column = columns[c % columns.size()];
        d(r, c) = column[(round + c / columns.size()) % column.size()];
      }
    }
    return d;
  };
}

// A role that is always slower by `bias` SD, and rounds that resemble the one before (AR(1)).
NoiseOfGate with_roles(double bias, double memory) {
  return [bias, memory](Stream& stream, std::size_t cases) {
    stats::Matrix d(kRounds, cases);
    std::vector<double> state(cases);
    for (double& s : state) s = stream.normal();
    for (std::size_t r = 0; r < d.rows; ++r) {
      for (std::size_t c = 0; c < cases; ++c) {
        if (r > 0) {
          state[c] = memory * state[c] + std::sqrt(1.0 - memory * memory) * stream.normal();
        }
        d(r, c) = state[c] + bias;
      }
    }
    return d;
  };
}

struct Shape {
  std::string name;
  NoiseOfGate noise;
};

Table false_alarms(const Options& options, Checks& checks) {
  const std::vector<Shape> shapes = {
      {"normal, independent", correlated(normal_noise(), 0.0)},
      {"normal, correlated .9", correlated(normal_noise(), 0.9)},
      {"t 3 d.f., independent", correlated(t3_noise(), 0.0)},
      {"t 3 d.f., correlated .9", correlated(t3_noise(), 0.9)},
      {"bimodal, independent", correlated(bimodal_noise(0.5), 0.0)},
      {"bimodal, correlated .9", correlated(bimodal_noise(0.5), 0.9)},
      {"recorded, alternated slices", recorded(recorded_elsewhere("fine"))},
      {"recorded, one process after the other", recorded(recorded_elsewhere("proc"))},
      {"recorded by perfgate", recorded(recorded_by_perfgate())},
  };
  Table table{"false_alarms", {"noise", "1 case", "20 cases", "200 cases", "2,000 cases"}, {}};
  Count pooled;
  std::uint64_t id = 1000;
  for (const Shape& shape : shapes) {
    std::vector<std::string> row = {shape.name};
    for (const std::size_t cases : {1U, 20U, 200U, 2000U}) {
      const bool large = cases == 2000;
      const std::size_t gates =
          large ? std::max<std::size_t>(1, options.trials * 3 / 40) : options.trials;
      const double limit = large ? 2.5 : 1.4;
      Count count = simulate({++id, cases, true}, shape.noise, gates, options.threads);
      std::string cell = text(count);
      if (count.percent() > limit) {
        // Chance or fault? Four times as many gates, of new streams, decide; both are shown, and
        // both enter the pooled rate.
        pooled.alarms += count.alarms;
        pooled.gates += count.gates;
        count = simulate({id + 500, cases, true}, shape.noise, 4 * gates, options.threads);
        cell += "; again " + text(count);
      }
      checks.expect(count.percent() <= limit, shape.name + ", " + std::to_string(cases) +
                                                  " cases: " + fixed(count.percent(), 2) +
                                                  " % of gates fail, at most " + fixed(limit, 1) +
                                                  " %");
      pooled.alarms += count.alarms;
      pooled.gates += count.gates;
      row.push_back(cell);
    }
    table.rows.push_back(row);
  }
  table.rows.push_back({"all together", text(pooled), "", "", ""});
  const stats::ProportionInterval rate = stats::clopper_pearson(pooled.alarms, pooled.gates);
  checks.expect(100.0 * rate.lo <= 1.0, "all gates together: more than 1 % fail");
  checks.expect(100.0 * rate.hi >= 0.5, "all gates together: alpha is given away");
  return table;
}

Table fixed_roles(const Options& options, Checks& checks) {
  constexpr std::size_t kCases = 5;
  Table table{"fixed_roles", {"rounds", "roles by coin", "one arm always first"}, {}};
  std::uint64_t id = 5000;
  const auto add = [&](const std::string& name, double bias, double memory, double damage) {
    const NoiseOfGate noise = with_roles(bias, memory);
    const Count with = simulate({++id, kCases, true}, noise, options.trials, options.threads);
    const Count without = simulate({++id, kCases, false}, noise, options.trials, options.threads);
    checks.expect(with.percent() <= 1.4, name + ": coins do not keep the error");
    checks.expect(without.percent() >= damage, name + ": a fixed role does no damage");
    table.rows.push_back({name, text(with), text(without)});
  };
  add("first slot slower by 0.1 SD", 0.1, 0.0, 2.0);
  add("first slot slower by 0.2 SD", 0.2, 0.0, 6.0);
  add("first slot slower by 0.3 SD", 0.3, 0.0, 15.0);
  add("AR(1), 0.1", 0.0, 0.1, 1.4);
  add("AR(1), 0.2", 0.0, 0.2, 2.0);
  add("AR(1), 0.3", 0.0, 0.3, 4.0);
  add("AR(1), 0.7, first slot slower by 0.5 SD", 0.5, 0.7, 20.0);
  return table;
}

int run(const Options& options) {
  Checks checks;
  print(false_alarms(options, checks));
  print(fixed_roles(options, checks));
  return checks.finish(options.check);
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  using namespace perfgate::calibration;
  return run(parse_options(
      argc, argv, "False alarms of whole gates, in % with 95 % Clopper-Pearson intervals", 4000));
}
