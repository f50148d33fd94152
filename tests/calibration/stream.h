// SPDX-License-Identifier: Apache-2.0
// stream.h: random numbers of one trial. Trial t of cell c draws from a stream of its own, so that
// a table does not depend on the number of threads or on the order of trials.
#pragma once

#include <cstdint>

namespace perfgate::calibration {

class Stream {
 public:
  // Streams with different (cell, trial) are independent for all purposes here.
  Stream(std::uint64_t cell, std::uint64_t trial);

  std::uint64_t bits();
  double uniform();  // in (0, 1), 53 bits
  double normal();   // standard normal, by inversion
  bool coin();
  std::size_t below(std::size_t bound);  // uniform in [0, bound)

 private:
  std::uint64_t seed_;
  std::uint64_t counter_ = 0;
};

}  // namespace perfgate::calibration
