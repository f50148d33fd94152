// SPDX-License-Identifier: Apache-2.0
// What alternating is worth: how far two launches of one program differ when they run one after the
// other, and when they take turns slice by slice.
//
//   calibration_recorded_variance SESSION...
//
// The files are sessions of a program against itself (`perfgate run A A --rounds N`). A launch's
// time is the median of its slices. One after the other: a launch against the same arm's launch of
// the round before. Alternated: the two arms of a round. Both are standard deviations of a log
// ratio of two launches, in per cent, and the largest ratio seen.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/calibration/program.h"
#include "tests/calibration/recorded.h"

namespace perfgate::calibration {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// Log times of both arms of a case, one per round.
struct Launches {
  std::vector<double> arm[2];
};

struct Spread {
  double sd = 0, largest = 0;  // per cent
};

Spread spread_of(const std::vector<double>& ratios) {
  Spread spread;
  double mean = 0;
  for (const double r : ratios) mean += r / static_cast<double>(ratios.size());
  for (const double r : ratios) {
    spread.sd += (r - mean) * (r - mean);
    spread.largest = std::max(spread.largest, 100 * std::expm1(std::abs(r)));
  }
  spread.sd = 100 * std::sqrt(spread.sd / static_cast<double>(ratios.size() - 1));
  return spread;
}

int run(const std::vector<std::string>& files) {
  const Session record = joined(files);
  std::size_t time = 0;
  while (time < record.metrics.size() && record.metrics[time].name != "real_time") ++time;
  std::map<std::string, Launches> cases;
  for (const RoundInfo& round : record.rounds) {
    for (const CaseRound& measured : round.cases) {
      Launches& launches = cases[record.cases[measured.case_index].name];
      for (std::size_t arm = 0; arm < 2; ++arm) {
        launches.arm[arm].push_back(std::log(median(measured.values[time][arm])));
      }
    }
  }
  Table table{"recorded_variance",
              {"case", "time us", "one after the other: sd %", "largest %", "alternated: sd %",
               "largest %", "sd ratio"},
              {}};
  for (const auto& [name, launches] : cases) {
    std::vector<double> sequential;
    std::vector<double> alternated;
    for (std::size_t r = 0; r < launches.arm[0].size(); ++r) {
      alternated.push_back(launches.arm[1][r] - launches.arm[0][r]);
      for (const auto& arm : launches.arm) {
        if (r > 0) sequential.push_back(arm[r] - arm[r - 1]);
      }
    }
    if (alternated.size() < 3) continue;
    const Spread apart = spread_of(sequential);
    const Spread together = spread_of(alternated);
    table.rows.push_back({name, fixed(1e6 * std::exp(median(launches.arm[0])), 2),
                          fixed(apart.sd, 3), fixed(apart.largest, 2), fixed(together.sd, 3),
                          fixed(together.largest, 2), fixed(apart.sd / together.sd, 1)});
  }
  print(table);
  std::printf("\n%zu rounds of %zu file(s)\n", record.rounds.size(), files.size());
  return 0;
}

}  // namespace
}  // namespace perfgate::calibration

int main(int argc, char** argv) {
  CLI::App app("How far two launches differ, one after the other and alternated");
  std::vector<std::string> files;
  app.add_option("SESSION", files, "Session files of two arms")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    return perfgate::calibration::run(files);
  } catch (const std::exception& error) {
    std::cerr << "calibration_recorded_variance: " << error.what() << "\n";
    return 65;
  }
}
