// SPDX-License-Identifier: Apache-2.0
// rank_sum_oracle.cc: lets peers_test.py compare its Mann-Whitney test with perfgate's.
//
// Standard input: "m n a1 .. am b1 .. bn" again and again; output: one "u p_two_sided" line each.
#include <cstdio>
#include <iostream>
#include <vector>

#include "perfgate/stats/inference/rank_sum.h"

int main() {
  std::size_t m = 0, n = 0;
  while (std::cin >> m >> n) {
    std::vector<double> a(m), b(n);
    for (double& value : a) std::cin >> value;
    for (double& value : b) std::cin >> value;
    const perfgate::stats::RankSum result = perfgate::stats::rank_sum_test(a, b);
    std::printf("%.17g %.17g\n", result.u, result.p_two_sided);
  }
}
