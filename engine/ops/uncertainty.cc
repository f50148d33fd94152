// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/uncertainty.h"

#include <cmath>
#include <limits>

namespace engine {

Uncertainty UncertaintyOf(std::span<const float> logits, std::size_t id) {
  // Online, so that logits are read once: when a new maximum comes, what was summed shrinks by
  // exp(old - new) =: r, and sum (x - max) e becomes r (sum (x - old) e + (old - new) sum e).
  double max = -std::numeric_limits<double>::infinity();
  double second = max;
  double sum = 0, weighted = 0;
  for (const float logit : logits) {
    const auto x = static_cast<double>(logit);
    if (x == -std::numeric_limits<double>::infinity()) {
      continue;  // no probability, and no difference to a maximum that is -inf still
    }
    if (x > max) {
      if (sum > 0) {
        const double ratio = std::exp(max - x);
        weighted = ratio * (weighted + (max - x) * sum);
        sum *= ratio;
      }
      second = max;
      max = x;
    } else if (x > second) {
      second = x;
    }
    const double e = std::exp(x - max);
    sum += e;
    weighted += (x - max) * e;
  }
  const double log_sum = std::log(sum);
  return {static_cast<float>(static_cast<double>(logits[id]) - max - log_sum),
          static_cast<float>(log_sum - weighted / sum), static_cast<float>(max - second)};
}

}  // namespace engine
