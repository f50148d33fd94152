// SPDX-License-Identifier: Apache-2.0
// A machine without a GPU: every case ends with a status that says so, and the process lives on.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/bench/worker_client.h"

namespace perfgate::bench {
namespace {

TEST(NoGpu, EveryCaseSaysSoAndTheProcessLives) {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) GTEST_SKIP() << "there is a GPU";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{}, std::vector<std::string>{"--perfgate_inspect"}}) {
    WorkerClient worker(FIXTURES, arguments);
    const std::size_t cases = worker.list().at("cases").size();
    ASSERT_GT(cases, 10U);
    for (std::size_t id = 0; id < cases; ++id) {
      const nlohmann::json reply = worker.Slice(static_cast<int>(id), 10);
      EXPECT_EQ(reply.value("error", ""), "failed");
      EXPECT_THAT(reply.value("message", ""),
                  testing::MatchesRegex("gpu_(no_driver|no_device|driver_too_old): .*"));
    }
    EXPECT_EQ(worker.Ask({{"do", "quit"}}).value("ok", ""), "quit");
  }
}

TEST(NoGpu, TheConditionsAreDeclaredAllTheSame) {
  WorkerClient worker(FIXTURES);
  std::vector<std::string> names;
  for (const auto& metric : worker.list().at("metrics")) names.push_back(metric.at("name"));
  EXPECT_THAT(names, testing::IsSupersetOf({"real_time", "gpu_cycles", "gpu_throttle"}));
}

}  // namespace
}  // namespace perfgate::bench
