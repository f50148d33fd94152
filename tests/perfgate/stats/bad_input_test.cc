// SPDX-License-Identifier: Apache-2.0
// What every function of a sample does with samples that nobody hopes for: a defined answer or
// std::invalid_argument, never a NaN and never a crash.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/design/stored.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantile_interval.h"
#include "perfgate/stats/estimate/scale.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/parity.h"
#include "perfgate/stats/inference/rank_sum.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/bootstrap.h"
#include "perfgate/stats/resample/mean_intervals.h"
#include "perfgate/stats/resample/resampling.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using Sample = std::vector<double>;
using Numbers = std::vector<double>;

// A function of one sample, its results as a list of numbers that must all be finite.
struct Function {
  std::string name;
  std::function<Numbers(const Sample&)> call;
  std::size_t fewest = 1;  // values that it needs
  bool positive = false;   // refuses values <= 0
};

Numbers ends(const Interval& i) { return i.valid ? Numbers{i.lo, i.hi} : Numbers{}; }
Numbers ends(const NominalInterval& i) { return {i.estimate, i.lo, i.hi}; }

Matrix column(const Sample& d) {
  Matrix x(d.size(), 1);
  x.data = d;
  return x;
}

Numbers run_bootstrap(const Sample& d, BootstrapMethod method) {
  const ResampleWeights weights = resample_weights(std::max<std::size_t>(1, d.size()), 50);
  return ends(bootstrap_means(column(d), method, weights).front());
}

std::vector<Function> functions() {
  return {
      {"median", [](const Sample& d) { return Numbers{median(d)}; }},
      {"mean", [](const Sample& d) { return Numbers{mean(d)}; }},
      {"sample_sd", [](const Sample& d) { return Numbers{sample_sd(d)}; }, 2},
      {"mad_sd", [](const Sample& d) { return Numbers{mad_sd(d)}; }},
      {"iqr_sd", [](const Sample& d) { return Numbers{iqr_sd(d)}; }},
      {"sample_quantile", [](const Sample& d) { return Numbers{sample_quantile(d, 0.9)}; }},
      {"trimmed_mean", [](const Sample& d) { return Numbers{trimmed_mean(d, 0.2)}; }},
      {"student_t", [](const Sample& d) { return ends(student_t_interval(d)); }, 2},
      {"trimmed_t", [](const Sample& d) { return ends(trimmed_t_interval(d)); }, 2},
      {"quantile_interval", [](const Sample& d) { return ends(quantile_interval(d, 0.5)); }},
      {"hodges_lehmann", [](const Sample& d) { return Numbers{hodges_lehmann(d)}; }},
      {"signed_rank", [](const Sample& d) { return ends(signed_rank_interval(d, 0.025)); }},
      {"min_max",
       [](const Sample& d) {
         const Range range = min_max(d);
         return Numbers{range.lo, range.hi, range.confidence};
       }},
      {"noise_sd", [](const Sample& d) { return Numbers{noise_sd(d)}; }},
      {"parity", [](const Sample& d) { return Numbers{parity_fixed(d, 0.05).estimate}; }},
      {"max_t",
       [](const Sample& d) {
         const MaxT test = max_t(column(d));
         return Numbers{test.z[0], test.p_raw[0], test.p_adjusted[0]};
       }},
      {"percentile",
       [](const Sample& d) { return run_bootstrap(d, BootstrapMethod::kPercentile); }},
      {"bca", [](const Sample& d) { return run_bootstrap(d, BootstrapMethod::kBca); }},
      {"studentized",
       [](const Sample& d) { return run_bootstrap(d, BootstrapMethod::kStudentized); }, 3},
      {"bootstrap_median",
       [](const Sample& d) {
         return ends(bootstrap_median(d, resample_weights(std::max<std::size_t>(1, d.size()), 50)));
       }},
      {"rank_sum",
       [](const Sample& d) {
         const RankSum test = rank_sum_test(d, d);
         return Numbers{test.u, test.p_two_sided, test.p_greater};
       }},
      {"resampled_ratio",
       [](const Sample& d) {
         const ResampledRatio r = resampled_ratio(d, d, Centre::kMean, 50);
         return Numbers{r.ratio, r.lo, r.hi};
       },
       1, true},
      {"stored",
       [](const Sample& d) {
         const StoredColumn c =
             compare_stored(column(d), column(d), std::vector<double>{0.0}).columns.front();
         return Numbers{c.delta, c.p_adjusted};
       }},
  };
}

void expect_finite(const Function& function, const Sample& d, const std::string& what) {
  try {
    for (const double number : function.call(d)) {
      EXPECT_TRUE(std::isfinite(number)) << function.name << " of " << what << ": " << number;
    }
  } catch (const std::invalid_argument& refused) {
    ADD_FAILURE() << function.name << " refuses " << what << ": " << refused.what();
  }
}

TEST(BadInput, EmptySamplesAreRefused) {
  for (const Function& f : functions()) {
    EXPECT_THROW(f.call({}), std::invalid_argument) << f.name;
  }
}

TEST(BadInput, NaNAndInfinityAreRefusedWhereverTheyAre) {
  for (const Function& f : functions()) {
    for (const double bad : {testing::kNaN, testing::kInfinity, -testing::kInfinity}) {
      for (std::size_t place = 0; place < 9; place += 4) {
        Sample d = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        d[place] = bad;
        EXPECT_THROW(f.call(d), std::invalid_argument) << f.name << " with " << bad;
      }
    }
  }
}

TEST(BadInput, FewValuesGiveAnAnswerOrARefusal) {
  for (const Function& f : functions()) {
    for (std::size_t n = 1; n < 8; ++n) {
      const Sample d(n, 1.5);
      if (n < f.fewest) {
        EXPECT_THROW(f.call(d), std::invalid_argument) << f.name << " of " << n;
      } else {
        expect_finite(f, d, std::to_string(n) + " equal values");
      }
    }
  }
}

TEST(BadInput, ConstantZeroNegativeTiedAndTinyValuesHaveAnswers) {
  const double least = std::numeric_limits<double>::denorm_min();
  const std::vector<std::pair<std::string, Sample>> samples = {
      {"zeros", Sample(9, 0.0)},
      {"minus ones", Sample(9, -1.0)},
      {"two values", {1, 1, 1, 1, 2, 2, 2, 2, 2}},
      {"mixed signs", {-1, 0, 1, -1, 0, 1, -1, 0, 1}},
      {"signed zeros", {-0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0, 0.0, -0.0}},
      {"denormal values", {least, 2 * least, least, 0, least, -least, least, 3 * least, least}},
      {"one outlier", {1, 1, 1, 1, 1, 1, 1, 1, 1e9}},
  };
  for (const Function& f : functions()) {
    for (const auto& [name, d] : samples) {
      const bool has_nonpositive = std::any_of(d.begin(), d.end(), [](double v) { return v <= 0; });
      if (f.positive && has_nonpositive) {
        EXPECT_THROW(f.call(d), std::invalid_argument) << f.name << " of " << name;
      } else {
        expect_finite(f, d, name);
      }
    }
  }
}

// Squares overflow: refused with a reason or answered, never infinite or NaN.
TEST(BadInput, HugeValuesNeverTurnIntoInfinityOrNaN) {
  for (const Function& f : functions()) {
    for (const double size : {1e200, 1e308}) {
      const Sample d = {size, -size, 0.5 * size, 0.1 * size, -size, size, 0.3 * size, 0, size};
      try {
        for (const double number : f.call(d)) {
          EXPECT_TRUE(std::isfinite(number)) << f.name << " at " << size;
        }
      } catch (const std::invalid_argument& refused) {
        EXPECT_STRNE(refused.what(), "");
      }
    }
  }
}

TEST(BadInput, AHundredThousandCasesAreTested) {
  const Matrix d = testing::sample_matrix(10, 100000, 3);
  const std::vector<double> taus(d.cols, 0.0);
  const std::vector<Look> looks = {{6, 0.0}, {10, 0.01}};
  const GateRun run = run_gate(d, taus, looks);
  ASSERT_EQ(run.columns.size(), d.cols);
  EXPECT_NE(run.suite, Outcome::kPass);
}

TEST(BadInput, MillionsOfValuesAreTaken) {
  const Sample d = testing::sample(2000001, 4);
  EXPECT_NEAR(median(d), 0.0, 1e-3);
  EXPECT_NEAR(mean(d), 0.0, 1e-3);
  EXPECT_NEAR(sample_sd(d), 0.05 / std::sqrt(12.0), 1e-4);
  EXPECT_NEAR(mad_sd(d), 1.4826 * 0.0125, 1e-4);
  EXPECT_NEAR(trimmed_mean(d, 0.2), 0.0, 1e-3);
  const Interval p99 = quantile_interval(d, 0.99);
  ASSERT_TRUE(p99.valid);
  EXPECT_LT(p99.lo, 0.0245);
  EXPECT_GT(p99.hi, 0.0245);
}

TEST(BadInput, MoreRoundsThanFlipsCanHoldAreRefused) {
  EXPECT_THROW(sign_flips(200000), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
