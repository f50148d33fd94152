// SPDX-License-Identifier: Apache-2.0
// calibration_samples.h: a calibration with every kind of line, for golden files.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "perfgate/evidence/calibration.h"
#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/two_stage.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/sign_flips.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {

// `rounds` values of a fixed stream, about normal with this SD: sums of four uniform ones.
inline std::vector<double> stream_noise(std::uint64_t seed, int rounds, double sd) {
  std::vector<double> d;
  for (int r = 0; r < rounds; ++r) {
    double sum = -2;
    for (std::uint64_t i = 0; i < 4; ++i) {
      const std::uint64_t word = stats::splitmix64(seed, 4 * static_cast<std::uint64_t>(r) + i);
      sum += static_cast<double>(word >> 40) / (1 << 24);
    }
    d.push_back(std::nearbyint(1e6 * sd * std::sqrt(3.0) * sum) / 1e6);
  }
  return d;
}

inline CalibratedColumn calibrated_column(const char* name, std::vector<double> d, double pair_sd) {
  CalibratedColumn column = full_calibration().columns[0];
  column.case_name = name;
  column.slice_s = 0.01;
  column.setup_share = 0.01;
  column.pair_s = 0.021;
  column.round_sd = stats::noise_sd(d);
  column.sample_sd = stats::sample_sd(d);
  column.pair_sd = pair_sd;
  column.between_sd = stats::split_noise(column.round_sd, pair_sd, 4).between;
  column.d = std::move(d);
  return column;
}

// A quiet case, a noisy one, one with two states, and a counter; one more case crashed.
inline Calibration calibration_of_four() {
  constexpr int kRounds = 30;
  Calibration calibration = full_calibration();
  calibration.policy = Policy{};
  calibration.policy.cases = {{.match = "hash/*", .metric = {}, .tolerance = 0.03, .gate = {}}};
  calibration.executable.label = "both arms";
  calibration.executable.build.sanitizer.clear();
  calibration.executable.build.assertions = false;
  calibration.rounds = kRounds;
  calibration.wall_s = 31.5;
  calibration.start_s = 1.5;
  calibration.round_s = 0.52;
  calibration.launch_s = 0.1;
  std::vector<double> states = stream_noise(3, kRounds, 0.004);
  for (std::size_t r = 0; r < states.size(); r += 9) states[r] += r % 2 == 0 ? 0.25 : -0.25;
  calibration.columns = {
      calibrated_column("sort/n:16384/dtype:f32", stream_noise(1, kRounds, 0.006), 0.01),
      calibrated_column("memcpy/bytes:1048576/dtype:u8", stream_noise(2, kRounds, 0.058), 0.004),
      calibrated_column("hash/keys:4096/dtype:u64", states, 0.008),
      calibrated_column("sort/n:16384/dtype:f32", std::vector<double>(kRounds, 0.0), 0)};
  calibration.columns[3].metric = {.name = "allocs", .unit = "1", .kind = Kind::kCount};
  calibration.columns[3].value = 3;
  return calibration;
}

}  // namespace perfgate::sample
