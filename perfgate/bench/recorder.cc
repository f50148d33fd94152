// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/recorder.h"

#include <algorithm>
#include <utility>

#include "perfgate/bench/metrics.h"
#include "perfgate/evidence/metrics/distribution.h"

namespace perfgate::bench {
namespace {

// Function-local, so that a recorder in another source file finds it constructed.
std::vector<Recorder*>& AllRecorders() {
  static std::vector<Recorder*> recorders;
  return recorders;
}

std::string NameOf(const std::string& base, const DistributionSummary& summary) {
  return base + "_" + std::string(summary.word);
}

// Set once by the worker, before any case runs.
bool& IsGateListening() {
  static bool listening = false;
  return listening;
}

}  // namespace

Recorder::Recorder(std::string name) : name_(std::move(name)) {
  for (const DistributionSummary& summary : kDistributionSummaries) {
    DeclareMetric(NameOf(name_, summary).c_str(), "s", Direction::kLower, Kind::kTime);
  }
  const std::string samples = name_ + std::string(kSamplesSuffix);
  DeclareMetric(samples.c_str(), "1", Direction::kHigher, Kind::kCount);
  AllRecorders().push_back(this);
}

Recorder::~Recorder() {
  std::vector<Recorder*>& all = AllRecorders();
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
  for (std::atomic<Shard*>& shard : shards_) delete shard.load();
}

std::size_t Recorder::IndexOfThread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t index = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return index;
}

Recorder::Shard& Recorder::NewShard() {
  auto made = std::make_unique<Shard>();
  Shard* expected = nullptr;
  std::atomic<Shard*>& place = shards_[IndexOfThread()];
  // Another thread of the same index may have been faster.
  if (place.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *expected;
}

stats::CallHistogram Recorder::Recorded() const {
  stats::CallHistogram all;
  for (const std::atomic<Shard*>& place : shards_) {
    const Shard* shard = place.load(std::memory_order_acquire);
    if (shard == nullptr) continue;
    for (std::size_t b = 0; b < shard->counts.size(); ++b) {
      const std::uint64_t count = shard->counts[b].load(std::memory_order_relaxed);
      if (count > 0) all.AddTo(b, count);
    }
    all.AddOutside(shard->outside.load(std::memory_order_relaxed));
  }
  return all;
}

void Recorder::Clear() {
  for (std::atomic<Shard*>& place : shards_) {
    Shard* shard = place.load(std::memory_order_acquire);
    if (shard == nullptr) continue;
    for (std::atomic<std::uint64_t>& count : shard->counts) {
      count.store(0, std::memory_order_relaxed);
    }
    shard->outside.store(0, std::memory_order_relaxed);
  }
}

void Recorder::Report(benchmark::State& state) {
  if (IsGateListening()) return;
  const stats::CallHistogram calls = Recorded();
  Clear();
  if (calls.count() == 0) return;
  for (const DistributionSummary& summary : kDistributionSummaries) {
    state.counters[NameOf(name_, summary)] = summary.word == kTailMean
                                                 ? calls.TailMeanS(summary.quantile)
                                                 : calls.NearestRankS(summary.quantile);
  }
}

void BeginCalls() {
  IsGateListening() = true;
  for (Recorder* recorder : AllRecorders()) recorder->Clear();
}

std::vector<const Recorder*> RecordersWithCalls() {
  std::vector<const Recorder*> found;
  for (const Recorder* recorder : AllRecorders()) {
    if (recorder->Recorded().count() > 0) found.push_back(recorder);
  }
  return found;
}

}  // namespace perfgate::bench
