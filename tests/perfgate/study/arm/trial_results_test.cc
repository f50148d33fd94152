// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/trial_results.h"

#include <gtest/gtest.h>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/private_folder.h"

namespace perfgate::study {
namespace {

TrialResults TrialOf(const std::string& text) {
  const PrivateFolder folder("perfgate-trial-test-");
  write_file_atomically(folder.file("trial.json"), text);
  return ReadTrial(folder.file("trial.json"));
}

TEST(TrialResults, TheFirstCaseWithATime) {
  const TrialResults results = TrialOf(
      R"({"benchmarks": [{"name": "a", "error_message": "bad"},
          {"name": "b", "real_time": 2.5, "time_unit": "us"}]})");
  EXPECT_EQ(results.trouble, "");
  EXPECT_EQ(results.name, "b");
  EXPECT_DOUBLE_EQ(results.time, 2.5);
  EXPECT_EQ(results.unit, "us");
}

TEST(TrialResults, NoTime) {
  EXPECT_EQ(TrialOf(R"({"benchmarks": []})").trouble, "the benchmark ran no case");
  EXPECT_EQ(TrialOf("").trouble, "the benchmark ran no case");
  EXPECT_EQ(TrialOf(R"({"benchmarks": [{"name": "a", "error_message": "bad"}]})").trouble,
            "no case has a time: bad");
  EXPECT_EQ(
      TrialOf(R"({"benchmarks": [{"name": "a", "real_time": 0, "time_unit": "ns"}]})").trouble,
      "no case has a time: a has no time above 0");
  EXPECT_NE(TrialOf("{").trouble, "");
  EXPECT_EQ(ReadTrial("/nowhere/trial.json").trouble, "the benchmark wrote no results");
}

}  // namespace
}  // namespace perfgate::study
