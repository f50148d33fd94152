// SPDX-License-Identifier: Apache-2.0
// recorder.h: how long each call takes, so that a gate can judge the slow ones.
//
//   #include <perfgate/bench/recorder.h>
//   perfgate::bench::Recorder requests("request");   // at namespace scope
//
//   void Serve(benchmark::State& state) {
//     for (auto _ : state) {
//       const auto call = requests.Time();           // until the end of the scope
//       Answer();
//     }
//     requests.Report(state);                        // for runs by hand
//   }
//   BENCHMARK(Serve);
//
// declares the metrics request_p50, request_p95, request_p99 and request_tail_mean (the mean of the
// slowest 5 %) of every case that records. The gate pools the calls that an arm makes in a round;
// from 400 calls a round on it gates p95 and tail_mean, from 2,000 on p99, and what rests on fewer
// it shows (docs/metrics.md).
//
// A call costs about as much as reading the clock twice, and 10 ns more. Calls are kept in buckets
// of three significant digits (stats/estimate/call_histogram.h): 264 KiB for each thread that
// records, up to 16, whatever the number of calls. All members may be called from several threads
// at once, except Report() and those of the worker.
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/stats/estimate/call_histogram.h"

namespace perfgate::bench {

class Recorder {
 public:
  using Clock = std::chrono::steady_clock;

  // Times a scope.
  class Call {
   public:
    explicit Call(Recorder& recorder) : recorder_(&recorder), start_(Clock::now()) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { recorder_->Add(Clock::now() - start_); }

   private:
    Recorder* recorder_;
    Clock::time_point start_;
  };

  // At namespace scope, one per name: the gate asks for the metrics before any case runs. A name
  // that is empty, reserved or taken stops the executable at its start (metrics.h).
  explicit Recorder(std::string name);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Call Time() { return Call(*this); }
  void Add(std::chrono::nanoseconds time) {
    const auto ns = time.count();
    ShardOfThread().Add(ns < 0 ? 0 : static_cast<std::uint64_t>(ns));
  }

  // Sets the counters request_p50, ... of a run by hand and forgets its calls. Does nothing under a
  // gate, which pools the calls itself.
  void Report(benchmark::State& state);

  const std::string& name() const { return name_; }
  stats::CallHistogram Recorded() const;
  void Clear();

 private:
  static constexpr std::size_t kShards = 16;

  // The buckets of some of the threads.
  struct Shard {
    std::array<std::atomic<std::uint64_t>, stats::CallHistogram::kBuckets> counts{};
    std::atomic<std::uint64_t> outside{0};

    void Add(std::uint64_t ns) {
      if (ns < 1 || ns > stats::CallHistogram::kLongestNs) {
        outside.fetch_add(1, std::memory_order_relaxed);
        ns = ns < 1 ? 1 : stats::CallHistogram::kLongestNs;
      }
      counts[stats::CallHistogram::BucketOf(ns)].fetch_add(1, std::memory_order_relaxed);
    }
  };

  Shard& ShardOfThread() {
    Shard* shard = shards_[IndexOfThread()].load(std::memory_order_acquire);
    return shard != nullptr ? *shard : NewShard();
  }

  static std::size_t IndexOfThread();
  Shard& NewShard();

  std::string name_;
  std::array<std::atomic<Shard*>, kShards> shards_{};
};

// What the worker does around a slice: forgets what was recorded, and then says what was.
void BeginCalls();
std::vector<const Recorder*> RecordersWithCalls();

}  // namespace perfgate::bench
