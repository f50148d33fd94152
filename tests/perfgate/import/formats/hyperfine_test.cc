// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/hyperfine.h"

#include <gmock/gmock.h>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

Document hyperfine_of(const std::string& bytes) { return read_hyperfine(bytes, "h.json"); }
Document hyperfine_sample(const std::string& file) {
  return hyperfine_of(sample_bytes("hyperfine/" + file));
}

std::string one_result(const std::string& members) {
  return R"({"results":[{"command":"a",)" + members + "}]}";
}

TEST(Hyperfine, EachTimeIsOneProcessInOneRound) {
  const Document document = hyperfine_sample("plain.json");
  expect_consistent(document);
  const auto samples = records_of(document, "sleep 0.005", "wall_time");
  ASSERT_THAT(samples, SizeIs(6));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].order, static_cast<int>(i));
    EXPECT_EQ(samples[i].round, 0);
    EXPECT_EQ(samples[i].iterations, 1);
    EXPECT_EQ(samples[i].status, Status::kOk);
    EXPECT_GT(samples[i].value, 0.004);
    EXPECT_LT(samples[i].value, 10);
  }
  // Processor times are known as means only.
  EXPECT_THAT(records_of(document, "sleep 0.005", "user_time"), SizeIs(0));
  const auto user = records_of(document, "sleep 0.005", "user_time", RecordKind::kAggregate);
  ASSERT_THAT(user, SizeIs(1));
  EXPECT_TRUE(user[0].informational);
}

TEST(Hyperfine, ParametersAreOfTheCase) {
  const Document document = hyperfine_sample("parameters.json");
  const auto workload = document.workload.at("sleep 0.002 {n=2}");
  EXPECT_EQ(workload.at("parameter.n"), "2");
  EXPECT_EQ(workload.at("command"), "sleep 0.002");
  EXPECT_THAT(document.workload, SizeIs(3));
}

TEST(Hyperfine, AnyOtherExitCodeIsAFailure) {
  const Document document = hyperfine_sample("failures.json");
  EXPECT_THAT(records_of(document, "true", "wall_time"), Each(Field(&Record::status, Status::kOk)));
  const auto failed = records_of(document, "sh -c \"exit 3\"", "wall_time");
  ASSERT_THAT(failed, SizeIs(4));
  EXPECT_THAT(failed, Each(Field(&Record::status, Status::kFailed)));
  EXPECT_EQ(failed[0].detail, "exit code 3");
  const auto records =
      hyperfine_of(one_result(R"("times":[1,2,3],"exit_codes":[0,null,0])")).records;
  EXPECT_EQ(records.at(0).status, Status::kOk);
  EXPECT_EQ(records.at(1).status, Status::kFailed);
  EXPECT_EQ(records.at(1).detail, "ended by a signal");
}

// The shell's start-up is subtracted and what is below 0 becomes 0.
TEST(Hyperfine, TimesCutOffAtZeroAreRejected) {
  const auto samples = records_of(hyperfine_sample("clamped.json"), "true", "wall_time");
  ASSERT_THAT(samples, SizeIs(10));
  EXPECT_THAT(samples, Each(Field(&Record::status, Status::kRejected)));
  EXPECT_EQ(samples[0].detail, "wall_time is 0; a time is above 0");
  // A failure is one before its time is looked at.
  EXPECT_EQ(hyperfine_of(one_result(R"("times":[0],"exit_codes":[1])")).records.at(0).status,
            Status::kFailed);
}

TEST(Hyperfine, MemoryIsReadWhereItIs) {
  const auto records = hyperfine_of(
      one_result(R"("times":[1,2],"memory_usage_byte":[4096,8192],"exit_codes":[0,0])"));
  EXPECT_THAT(values_of(records_of(records, "a", "peak_memory")), testing::ElementsAre(4096, 8192));
}

TEST(Hyperfine, ListsThatDisagreeAreRefused) {
  const auto refused =
      refusal([&] { hyperfine_of(one_result(R"("times":[1,2],"exit_codes":[0])")); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("h.json: /results/0/exit_codes: has 1 elements"));
}

TEST(Hyperfine, OneNameForTwoCommandsIsRefused) {
  const auto refused = refusal([&] { hyperfine_sample("same_name.json"); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("/results/1: \"same\" stands in the file twice"));
}

TEST(Hyperfine, WithoutTimesThereAreAggregatesOnly) {
  const Document document = hyperfine_of(
      one_result(R"("mean":2,"stddev":null,"median":2,"user":0,"system":0.5,"min":1,"max":3)"));
  expect_consistent(document);
  EXPECT_THAT(document.records, SizeIs(5));  // no stddev, no user time
  EXPECT_THAT(document.records, Each(Field(&Record::kind, RecordKind::kAggregate)));
}

TEST(Hyperfine, WrongTypesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("times":[1,"2"])", "/results/0/times/1"},
      {R"("times":{"a":1})", "/results/0/times"},
      {R"("times":[1],"exit_codes":[0.5])", "/results/0/exit_codes/0"},
      {R"("mean":"1")", "/results/0/mean"},
      {R"("parameters":[1],"times":[1])", "/results/0/parameters"}};
  for (const auto& [members, pointer] : cases) {
    const auto refused = refusal([&, text = members] { hyperfine_of(one_result(text)); });
    EXPECT_EQ(refused.exit, Exit::kData) << members;
    EXPECT_THAT(refused.message, HasSubstr("h.json: " + pointer + ": ")) << members;
  }
}

}  // namespace
}  // namespace perfgate::import
