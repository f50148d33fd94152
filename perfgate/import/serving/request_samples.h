// SPDX-License-Identifier: Apache-2.0
// request_samples.h: the times of each request of one client run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/import/serving/serving_run.h"

namespace perfgate::import {

// The samples of one metric, one per request; absent where a request cannot have one.
struct RequestSamples {
  std::string metric;
  std::vector<std::optional<double>> values;
  std::vector<std::int64_t> iterations;
  std::vector<double> averaged;  // what the tool's summary is formed over
  const std::vector<std::vector<double>>* calls = nullptr;  // of each request one by one; or none
  bool exact = true;  // false: the tool measured a little more than the file holds
};

// failed: by request. ttft, itl, client_queue_time, e2e_latency and tpot, as far as the run has
// what they are made of.
std::vector<RequestSamples> SamplesOf(const ServingRun& run, const std::vector<bool>& failed);

}  // namespace perfgate::import
