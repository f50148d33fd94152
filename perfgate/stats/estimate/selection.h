// SPDX-License-Identifier: Apache-2.0
// selection.h: quantiles of a large sample without sorting it.
#pragma once

#include <span>
#include <vector>

namespace perfgate::stats {

// The quantile at p, linear between order statistics at position p (n - 1) (type 7): exactly what
// sorting would give. Reorders `values` ([n], n >= 1, finite). p in [0, 1].
double select_quantile(std::span<double> values, double p);

struct Tails {
  double lo = 0.0;
  double hi = 0.0;
};

// Quantiles at p and 1 - p (0 < p < .5), exactly as by sorting. `centre` and `sd` say where the
// values lie if they are about normal; then only the outer parts are looked at twice. Where they
// are not, the result is the same and takes longer. `scratch` is working space, to be reused.
Tails select_tails(std::span<double> values, double p, double centre, double sd,
                   std::vector<double>& scratch);

}  // namespace perfgate::stats
