// SPDX-License-Identifier: Apache-2.0
// What the intervals that perfgate prints, and those that it does not print, really cover.
#include <type_traits>

#include "perfgate/stats/resample/bootstrap.h"
#include "tests/calibration/coverage_tables.h"

namespace perfgate {
namespace {

// A report prints "CI95" for what comes from an Interval. No resampling interval is one.
template <typename T>
constexpr bool kNominalOnly =
    std::is_same_v<T, stats::NominalInterval> && !std::is_convertible_v<T, stats::Interval>;
static_assert(kNominalOnly<decltype(stats::bootstrap_median({}, {}))>);
static_assert(kNominalOnly<decltype(stats::cluster_bootstrap({}, {}))>);
static_assert(kNominalOnly<decltype(stats::bootstrap_means({}, {}, {}))::value_type>);

}  // namespace
}  // namespace perfgate

int main(int argc, char** argv) {
  namespace calibration = perfgate::calibration;
  const calibration::Options options = calibration::parse_options(
      argc, argv, "Coverage of nominal 95 % intervals; the default's from five times the trials",
      6000);
  calibration::Checks checks;
  calibration::fixed_n_tables(options, checks);
  calibration::small_n_table(options, checks);
  calibration::quantiles_table(options, checks);
  calibration::clusters_table(options, checks);
  return checks.finish(options.check);
}
