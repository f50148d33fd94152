// SPDX-License-Identifier: Apache-2.0
// synthetic_calibration.h: calibrations made from numbers.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/calibration.h"
#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/two_stage.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate::synthetic {

inline void add_column(Calibration& calibration, const std::string& name, std::vector<double> d,
                       const Metric& metric = {}) {
  CalibratedColumn column;
  column.case_name = name;
  column.metric = metric;
  column.iterations = 100;
  column.slice_s = 0.01;
  column.pair_s = 0.02;
  column.value = 1e-4;
  column.round_sd = stats::noise_sd(d);
  column.sample_sd = stats::sample_sd(d);
  column.d = std::move(d);
  calibration.rounds = static_cast<int>(column.d.size());
  calibration.columns.push_back(column);
}

// 40 rounds of normal noise per case. Launching takes 0.1 s, a pair of each case 20 ms.
inline Calibration normal_calibration(const std::vector<double>& sds, std::uint64_t seed = 1,
                                      int rounds = 40) {
  Calibration calibration;
  calibration.session_id = std::string(32, '0');
  calibration.seed = std::string(16, '0');
  calibration.suite = "synthetic";
  calibration.launch_s = 0.1;
  Noise noise(seed);
  for (std::size_t c = 0; c < sds.size(); ++c) {
    std::vector<double> d;
    d.reserve(static_cast<std::size_t>(rounds));
    for (int r = 0; r < rounds; ++r) d.push_back(noise(0, sds[c]));
    add_column(calibration, "case" + std::to_string(c), d);
  }
  calibration.round_s = 0.1 + 0.1 * static_cast<double>(sds.size());
  return calibration;
}

// The round SD of every column has these shares of a pair's noise and of the launch's.
inline void set_parts(Calibration& calibration, double within, double between) {
  for (CalibratedColumn& column : calibration.columns) {
    column.pair_sd = within;
    column.between_sd = between;
    column.round_sd = stats::round_sd_of({within, between}, calibration.policy.pairs);
  }
}

}  // namespace perfgate::synthetic
