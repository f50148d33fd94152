// SPDX-License-Identifier: Apache-2.0
// Guarded cases on the host, honest and not, for guarded_test.cc.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perfgate/bench/host_case.h"

namespace {

using perfgate::bench::Buffers;
using perfgate::bench::Content;
using perfgate::bench::Defences;
using perfgate::bench::HostCase;
using perfgate::bench::HostMeter;
using perfgate::bench::Rotation;

constexpr std::size_t kCount = 20000;
constexpr int kSets = 2;

struct Data {
  std::vector<std::vector<float>> x{kSets, std::vector<float>(kCount)};
  std::vector<std::vector<float>> y{kSets, std::vector<float>(kCount)};

  Buffers Described() {
    Buffers buffers;
    for (std::size_t r = 0; r < kSets; ++r) {
      Rotation rotation;
      rotation.inputs = {{x[r].data(), kCount * sizeof(float), Content::kF32, 0}};
      rotation.outputs = {{y[r].data(), kCount * sizeof(float), Content::kKeep, 0}};
      buffers.rotations.push_back(rotation);
    }
    buffers.check = [this](int r) { return Check(static_cast<std::size_t>(r)); };
    return buffers;
  }
  std::string Check(std::size_t r) const {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (y[r][i] != 2 * x[r][i]) return "element " + std::to_string(i);
    }
    return "";
  }
  void Double(int set, std::size_t begin, std::size_t end) {
    const auto r = static_cast<std::size_t>(set);
    for (std::size_t i = begin; i < end; ++i) y[r][i] = 2 * x[r][i];
  }
};

Data& TheData() {
  static Data data;
  return data;
}

// One thread that lives as long as the process and is idle between calls.
class Pool {
 public:
  Pool() : thread_([this] { Loop(); }) {}
  ~Pool() {
    Run(-1);
    thread_.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  void Run(int set) {
    std::unique_lock<std::mutex> lock(mutex_);
    set_ = set;
    waiting_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !waiting_; });
  }

 private:
  void Loop() {
    for (int set = 0; set >= 0;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return waiting_; });
      set = set_;
      if (set >= 0) TheData().Double(set, kCount / 2, kCount);
      waiting_ = false;
      changed_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool waiting_ = false;
  int set_ = 0;
  std::thread thread_;
};

template <class Call>
void Add(const std::string& name, const Defences& defences, const Call& call) {
  auto meter = std::make_shared<HostMeter>(defences);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    HostCase(*meter, state, name).Run(TheData().Described(), call);
  })->UseManualTime();
}

Defences Only(bool Defences::*defence) {
  Defences only;
  only.poison = only.checks = only.refill = only.settled = only.canaries = only.inputs = false;
  only.threads = false;
  only.*defence = true;
  return only;
}

void Honest(int r) { TheData().Double(r, 0, kCount); }

// The second half is computed by a thread that nobody waits for.
void Late(int r) {
  TheData().Double(r, 0, kCount / 2);
  std::thread([r] {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    TheData().Double(r, kCount / 2, kCount);
  }).detach();
}

const bool kRegistered = [] {
  Add("honest", {}, Honest);
  Add("hc_thread_pool", {}, [](int r) {
    static Pool pool;
    TheData().Double(r, 0, kCount / 2);
    pool.Run(r);
  });
  Add("hc_joined_thread", {}, [](int r) {
    std::thread other([r] { TheData().Double(r, kCount / 2, kCount); });
    TheData().Double(r, 0, kCount / 2);
    other.join();
  });
  Add("wrong", {}, [](int r) { TheData().Double(r, 0, kCount - 1); });
  Defences off = Only(&Defences::threads);
  off.threads = false;
  Add("rt_late_thread/off", off, Late);
  Add("rt_late_thread/threads", Only(&Defences::threads), Late);
  Defences settled = Only(&Defences::settled);
  settled.poison = true;
  Add("rt_late_thread/settled", settled, Late);
  auto calls = std::make_shared<std::atomic<int>>(0);
  Add("rt_skip_after_first", {}, [calls](int r) {
    if ((*calls)++ < 3) Honest(r);
  });
  return true;
}();

}  // namespace
