// SPDX-License-Identifier: Apache-2.0
// max_t.h: which columns are slower than their tolerance, with one error rate for the whole suite.
//
// The step-down maximum test of Westfall and Young (1993) over joint sign flips. Every column is
// reduced to one score; the null distribution of the largest score comes from negating whole
// rounds, all columns together, so any dependence between columns is kept. It is exact when the
// joint vector of a round is as likely as its negative, which a fair coin per round for the roles
// provides.
//
//   y[r,b] = x[r,b] clipped to +- clip * median_r |x[r,b]|    (no clipping where that median is 0)
//   u[r,b] = y[r,b] / sqrt(sum_r y[r,b]^2)                    (0 where the sum is 0)
//   Z_b(s) = sum_r s_r u[r,b],  z_b = Z_b(+1, ..., +1)
//
// Columns are ordered by z, largest first, ties by index. With M_j(s) the maximum of Z over the
// columns from position j on: P_j = #{s : M_j(s) >= z_(j) - 1e-9} / #s; the adjusted p at position
// j is the maximum of P_1 ... P_j.
//
// The result does not depend on compiler, vector width or threads: every Z is summed in one fixed
// order and p-values are ratios of integer counts. Time grows as flips x columns x rounds / 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perfgate/stats/estimate/matrix.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {

// One entry per column, in the order of the input. p-values are in (0, 1], never 0.
struct MaxT {
  std::vector<double> z;           // in [-sqrt(rounds), sqrt(rounds)]; positive = above tolerance
  std::vector<double> p_raw;       // this column alone, no correction
  std::vector<double> p_single;    // single-step: against the maximum over all columns
  std::vector<double> p_adjusted;  // step-down: the one to decide with
  std::size_t flips = 0;
  bool exact = false;  // all 2^rounds flips were enumerated
};

// x: rounds x columns, tolerance already subtracted; rounds >= 1; columns may be 0. clip > 0, may
// be infinity for none. threads: 0 = one per processor. Throws std::invalid_argument for non-finite
// x or a broken precondition.
MaxT max_t(const Matrix& x, double clip = 2.0, std::uint64_t seed = 1,
           std::size_t flips = kDefaultFlips, std::size_t threads = 1);

// The scores u, rounds x columns, for tests and simulations.
Matrix max_t_scores(const Matrix& x, double clip = 2.0);

}  // namespace perfgate::stats
