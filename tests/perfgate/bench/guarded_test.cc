// SPDX-License-Identifier: Apache-2.0
// HostCase end to end: a worker that is asked for slices, and what it answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/bench/worker_client.h"

namespace perfgate::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The first slice of five that fails, else the last.
json MeasureGuarded(const std::string& name) {
  WorkerClient worker(GUARDED);
  const int id = worker.Find(name + "/manual_time");
  EXPECT_GE(id, 0) << name;
  json reply;
  for (int slice = 0; slice < 5; ++slice) {
    reply = worker.Slice(id, 20);
    if (reply.value("ok", "") != "slice") break;
  }
  return reply;
}

TEST(HostCase, HonestCasesAreTimed) {
  for (const char* name : {"honest", "hc_thread_pool", "hc_joined_thread", "rt_late_thread/off"}) {
    const json reply = MeasureGuarded(name);
    EXPECT_EQ(reply.value("ok", ""), "slice") << name << ": " << reply.dump();
    EXPECT_GT(reply.value("real_s", 0.0), 0) << name;
  }
}

TEST(HostCase, SaysThatItsResultsAreChecked) {
  EXPECT_TRUE(MeasureGuarded("honest").value("checked", false));
  WorkerClient unguarded(SAMPLE);
  EXPECT_FALSE(unguarded.Slice(0, 1).contains("checked"));
}

TEST(HostCase, AWrongResultIsTheCasesFailure) {
  const json reply = MeasureGuarded("wrong");
  EXPECT_EQ(reply.value("error", ""), "failed");
  EXPECT_THAT(reply.value("message", ""), HasSubstr("wrong result: element 19999"));
}

TEST(HostCase, LateThreadsAreInvalid) {
  const json threads = MeasureGuarded("rt_late_thread/threads");
  EXPECT_EQ(threads.value("error", ""), "invalid");
  EXPECT_THAT(threads.value("message", ""), HasSubstr("threads that the call started"));
  const json settled = MeasureGuarded("rt_late_thread/settled");
  EXPECT_EQ(settled.value("error", ""), "invalid");
  EXPECT_THAT(settled.value("message", ""), HasSubstr("changed after the call had returned"));
}

TEST(HostCase, SkippedCallsAreInvalid) {
  const json reply = MeasureGuarded("rt_skip_after_first");
  EXPECT_EQ(reply.value("error", ""), "invalid");
  EXPECT_THAT(reply.value("message", ""), HasSubstr("although an earlier call was right"));
}

}  // namespace
}  // namespace perfgate::bench
