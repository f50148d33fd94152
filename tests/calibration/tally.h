// SPDX-License-Identifier: Apache-2.0
// tally.h: counts over the trials of one cell, on several threads, the same for any number of them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perfgate::calibration {

// Trials first .. last - 1 of a cell.
struct Batch {
  std::size_t index = 0;
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last - first; }
};

inline constexpr std::size_t kBatch = 50;

// Calls count(batch, hits) for batches of up to kBatch trials that make up [0, trials), and adds up
// hits: `counters` numbers that start at 0. threads: 0 = one per processor.
std::vector<std::size_t> tally(
    std::size_t trials, std::size_t threads, std::size_t counters,
    const std::function<void(const Batch&, std::span<std::size_t>)>& count);

// hits / trials.
double share(std::size_t hits, std::size_t trials);

// Monte-Carlo standard error of a share estimated from so many trials.
double share_se(double share, std::size_t trials);

// Smallest and largest of a set of shares, filled one by one.
class Extremes {
 public:
  void add(double share);
  double lo() const { return lo_; }
  double hi() const { return hi_; }
  std::string percent() const;  // "94.1-96.0"; one number where both print the same

 private:
  double lo_ = 2.0;
  double hi_ = -1.0;
};

// One decimal, no sign: ".946" is "94.6".
std::string percent(double share);

}  // namespace perfgate::calibration
