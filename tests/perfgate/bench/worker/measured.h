// SPDX-License-Identifier: Apache-2.0
// measured.h: a slice of a case of sample_cases, run in a worker.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/perfgate/bench/worker_client.h"

namespace perfgate::bench {

inline const std::vector<std::string> kHostile = {"SAMPLE_HOSTILE=1"};

// Runs one slice of the named case and checks the parts of the reply that always hold.
inline nlohmann::json Measure(WorkerClient& worker, const std::string& name,
                              std::int64_t iterations) {
  const int id = worker.Find(name);
  EXPECT_GE(id, 0) << name;
  nlohmann::json reply = worker.Slice(id, iterations);
  EXPECT_EQ(reply.value("ok", ""), "slice") << name << ": " << reply.dump();
  EXPECT_EQ(reply.value("case", -1), id);
  EXPECT_EQ(reply.value("iterations", 0), iterations) << name;
  EXPECT_TRUE(name == "Batch" || !reply.contains("ran")) << name << ": " << reply.dump();
  if (reply.contains("total_s") && reply["total_s"].is_number()) {
    const auto ran = reply.value("ran", reply["iterations"].get<double>());
    const double total = reply["real_s"].get<double>() * ran;
    EXPECT_NEAR(reply["total_s"].get<double>(), total, 1e-9 * std::abs(total)) << name;
    EXPECT_GT(reply["wall_s"].get<double>(), 0) << name;
  }
  return reply;
}

inline double Counter(const nlohmann::json& reply, const std::string& name) {
  return reply.at("counters").at(name).get<double>();
}

}  // namespace perfgate::bench
