// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/request_samples.h"

#include <algorithm>
#include <numeric>

namespace perfgate::import {
namespace {

RequestSamples per_request(const char* metric, const std::vector<double>& values,
                           const std::vector<bool>& failed) {
  RequestSamples samples;
  samples.metric = metric;
  samples.values.assign(values.begin(), values.end());
  samples.iterations.assign(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!failed[i]) samples.averaged.push_back(values[i]);
  }
  return samples;
}

RequestSamples gap_samples(const ServingRun& run, const std::vector<bool>& failed) {
  RequestSamples samples;
  samples.metric = "itl";
  samples.exact = !run.gaps_are_raw;
  samples.calls = &*run.itls;
  for (std::size_t i = 0; i < run.itls->size(); ++i) {
    const std::vector<double>& gaps = (*run.itls)[i];
    samples.iterations.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(gaps.size())));
    std::optional<double>& value = samples.values.emplace_back();
    if (gaps.empty()) continue;
    value = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
    // A negative gap may hide in a positive mean.
    const double least = *std::min_element(gaps.begin(), gaps.end());
    if (least < 0) value = least;
    if (!failed[i]) samples.averaged.insert(samples.averaged.end(), gaps.begin(), gaps.end());
  }
  return samples;
}

}  // namespace

std::vector<RequestSamples> SamplesOf(const ServingRun& run, const std::vector<bool>& failed) {
  std::vector<RequestSamples> all;
  if (run.ttfts) all.push_back(per_request("ttft", *run.ttfts, failed));
  if (run.itls) all.push_back(gap_samples(run, failed));
  if (run.queue_times) {
    all.push_back(per_request("client_queue_time", *run.queue_times, failed));
  }
  std::optional<std::vector<double>> latencies = run.latencies;
  if (!latencies && run.ttfts && run.itls) {
    latencies = *run.ttfts;
    for (std::size_t i = 0; i < latencies->size(); ++i) {
      for (const double gap : (*run.itls)[i]) (*latencies)[i] += gap;
    }
  }
  if (!latencies) return all;
  all.push_back(per_request("e2e_latency", *latencies, failed));
  all.back().exact = run.latencies.has_value();
  if (!run.ttfts || !run.output_lens) return all;
  RequestSamples tpot;
  tpot.metric = "tpot";
  tpot.iterations.assign(latencies->size(), 1);
  for (std::size_t i = 0; i < latencies->size(); ++i) {
    std::optional<double>& value = tpot.values.emplace_back();
    const std::int64_t length = (*run.output_lens)[i];
    if (length < 2) continue;
    value = ((*latencies)[i] - (*run.ttfts)[i]) / static_cast<double>(length - 1);
    if (!failed[i]) tpot.averaged.push_back(*value);
    // All tokens came in one piece: there is no time between them to be seen.
    if (*value == 0) value.reset();
  }
  tpot.exact = run.latencies.has_value();
  all.push_back(std::move(tpot));
  return all;
}

}  // namespace perfgate::import
