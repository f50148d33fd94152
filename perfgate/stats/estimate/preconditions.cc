// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/preconditions.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace perfgate::stats {

void require_finite(std::span<const double> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw std::invalid_argument(std::string(what) + ": value " + std::to_string(i) +
                                  " is not a finite number");
    }
  }
}

void require(bool condition, std::string_view message) {
  if (!condition) {
    throw std::invalid_argument(std::string(message));
  }
}

}  // namespace perfgate::stats
