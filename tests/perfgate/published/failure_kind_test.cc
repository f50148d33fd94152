// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/failure_kind.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "perfgate/published/published_rules.h"

namespace perfgate::published {
namespace {

Failure failure(const std::string& arm, const std::string& kind) {
  return classify_error({arm, kind, "results"});
}

TEST(FailureKind, KnowsEveryTokenOfTheLists) {
  using enum FailureKind;
  const std::map<std::string, FailureKind> kinds = {{"server_crash", kCrash},
                                                    {"server_crash_after_patch", kCrash},
                                                    {"server_crash_startup", kCrash},
                                                    {"no_output", kNoMetrics},
                                                    {"no_metrics", kNoMetrics},
                                                    {"patch_failed", kBadPatch},
                                                    {"patch_corrupts_install", kBadPatch},
                                                    {"baseline_server_failed", kCrash},
                                                    {"api_incompatible", kBadConfiguration},
                                                    {"pipeline_error", kInfrastructure},
                                                    {"unreadable_record", kInfrastructure},
                                                    {"pipeline_error_old_commit", kInfrastructure},
                                                    {"pipeline_exception", kInfrastructure},
                                                    {"timeout", kTimeout},
                                                    {"timeout_600s", kTimeout},
                                                    {"timeout_3600s", kTimeout},
                                                    {"out_of_memory", kOutOfMemory},
                                                    {"module_missing", kBadConfiguration},
                                                    {"cuda_tma", kIncompatibleHardware},
                                                    {"cuda_incompatible", kIncompatibleHardware},
                                                    {"fp8_incompatible", kIncompatibleHardware},
                                                    {"wrong_hardware", kIncompatibleHardware},
                                                    {"no_perf_command", kBadConfiguration}};
  for (const auto& [token, kind] : kinds) {
    const Failure found = failure("agent", token);
    EXPECT_EQ(found.kind, kind) << token;
    EXPECT_FALSE(found.guessed) << token;
    EXPECT_NE(found.retry, Retry::kUnknown) << token;
  }
  EXPECT_EQ(classify_cause("fp8_unsupported_in_baseline", "c").kind, kMissingFeatureInBaseline);
  EXPECT_EQ(classify_cause("model_unsupported", "c").kind, kUnsupportedModel);
}

TEST(FailureKind, BlamesTheArmOnlyForWhatItsCodeCanCause) {
  EXPECT_EQ(failure("agent", "server_crash").at_fault, AtFault::kAgent);
  EXPECT_EQ(failure("human", "timeout_600s").at_fault, AtFault::kHuman);
  EXPECT_EQ(failure("run", "server_crash").at_fault, AtFault::kUnknown);
  EXPECT_EQ(failure("run", "baseline_server_failed").at_fault, AtFault::kBaseline);
  EXPECT_EQ(failure("agent", "wrong_hardware").at_fault, AtFault::kSetUp);
  EXPECT_EQ(failure("run", "pipeline_error").at_fault, AtFault::kSetUp);
  EXPECT_EQ(classify_cause("fp8_unstable_in_baseline", "c").at_fault, AtFault::kBaseline);
  EXPECT_EQ(classify_cause("model_too_large", "c").at_fault, AtFault::kSetUp);
}

TEST(FailureKind, ReadsUnknownTokensByTheirWords) {
  EXPECT_EQ(failure("agent", "cuda_driver_too_old").kind, FailureKind::kIncompatibleHardware);
  EXPECT_EQ(failure("agent", "segfault_in_worker").kind, FailureKind::kCrash);
  EXPECT_EQ(classify_cause("mla_unsupported_in_baseline", "c").kind,
            FailureKind::kMissingFeatureInBaseline);
  EXPECT_TRUE(failure("agent", "segfault_in_worker").guessed);
  const Failure unknown = failure("agent", "gremlins");
  EXPECT_EQ(unknown.kind, FailureKind::kUnknown);
  EXPECT_EQ(unknown.at_fault, AtFault::kUnknown);
  EXPECT_EQ(unknown.retry, Retry::kUnknown);
}

TEST(FailureKind, ReadsTheLimitOfATimeout) {
  EXPECT_EQ(failure("run", "timeout_7200s").limit_s, 7200);
  EXPECT_FALSE(failure("run", "timeout_7200s").guessed);
  for (const char* token :
       {"timeout", "timeout_s", "timeout_-5s", "timeout_9x9s", "timeout_99999999999999s"}) {
    EXPECT_FALSE(failure("run", token).limit_s) << token;
    EXPECT_EQ(failure("run", token).kind, FailureKind::kTimeout) << token;
  }
}

PublishedItem failed_item(bool human, bool agent) {
  PublishedItem item;
  item.id = "made";
  item.status = {ArmStatus::kNoRecord, ArmStatus::kNoRecord, ArmStatus::kNoRecord};
  PublishedMeasurement m;
  m.source = "modal";
  m.shared_run = true;
  m.metric = "throughput";
  m.better = Direction::kHigher;
  if (human) m.arms[1] = PublishedValue{100, 1, {}, {}};
  if (agent) m.arms[2] = PublishedValue{100, 1, {}, {}};
  if (human) item.status[1] = ArmStatus::kMeasured;
  if (agent) item.status[2] = ArmStatus::kMeasured;
  item.measurements.push_back(m);
  return item;
}

Disposition disposition(const PublishedItem& item) { return dispose(item, answer_item(item)); }

TEST(Disposition, FollowsWhatStandsInTheWay) {
  PublishedItem compared = failed_item(true, true);
  compared.errors.push_back({"baseline", "baseline_server_failed", "results"});
  EXPECT_EQ(disposition(compared), Disposition::kDone);

  PublishedItem failed = failed_item(true, false);
  failed.status[2] = ArmStatus::kFailed;
  EXPECT_EQ(disposition(failed), Disposition::kInspect);
  failed.errors.push_back({"agent", "no_metrics", "results"});
  EXPECT_EQ(disposition(failed), Disposition::kRetry);
  failed.errors.push_back({"agent", "patch_failed", "failures"});
  EXPECT_EQ(disposition(failed), Disposition::kDone);

  PublishedItem empty = failed_item(false, false);
  EXPECT_EQ(disposition(empty), Disposition::kNotTried);
  empty.status[1] = ArmStatus::kFailed;
  EXPECT_EQ(disposition(empty), Disposition::kInspect);
  empty.errors.push_back({"baseline", "baseline_server_failed", "results"});
  EXPECT_EQ(disposition(empty), Disposition::kRetry);
  empty.errors.push_back({"run", "timeout", "results"});
  EXPECT_EQ(disposition(empty), Disposition::kChangeThenRetry);
  empty.errors.push_back({"run", "wrong_hardware", "results"});
  EXPECT_EQ(disposition(empty), Disposition::kOtherHardware);
  empty.needs.push_back({"capacity", {}, {}, {}, {}, {}, {}, "model_unsupported"});
  EXPECT_EQ(disposition(empty), Disposition::kDoNotRetry);

  PublishedItem apart = failed_item(true, true);
  apart.measurements[0].shared_run = false;
  EXPECT_EQ(disposition(apart), Disposition::kChangeThenRetry);
}

TEST(Disposition, IsDoneExactlyWhereAResultIsFinal) {
  std::mt19937 random(7);
  const std::vector<std::string> arms = {"baseline", "human", "agent", "run"};
  const std::vector<std::string> tokens = {"server_crash", "patch_failed",  "timeout_600s",
                                           "gremlins",     "out_of_memory", "pipeline_error"};
  const auto pick = [&](std::size_t n) { return random() % n; };
  for (int trial = 0; trial < 5000; ++trial) {
    PublishedItem item = failed_item(pick(2) == 0, pick(2) == 0);
    for (ArmStatus& status : item.status) {
      if (status != ArmStatus::kMeasured && pick(2) == 0) status = ArmStatus::kFailed;
    }
    for (std::size_t e = pick(4); e > 0; --e) {
      item.errors.push_back({arms[pick(arms.size())], tokens[pick(tokens.size())], "results"});
    }
    const ItemAnswer answer = answer_item(item);
    const Disposition found = dispose(item, answer);
    if (found == Disposition::kDone) {
      ASSERT_TRUE(answer.evaluable());
    } else {
      ASSERT_TRUE(!answer.evaluable() || answer.outcome == PointOutcome::kFailed);
    }
    for (const ArmStatus status : item.status) {
      ASSERT_TRUE(found != Disposition::kNotTried || status != ArmStatus::kFailed);
    }
  }
}

}  // namespace
}  // namespace perfgate::published
