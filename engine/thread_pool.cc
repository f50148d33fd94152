// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "engine/error.h"

namespace engine {
namespace {

// gate_: workers in the loop, whether more may join, and the number of loops.
constexpr std::uint64_t kWorkers = (1U << 16U) - 1, kOpen = 1U << 16U, kRound = 1U << 17U;

// Longer than what lies between two loops of a step, shorter than a scheduler's slice: past it the
// core is somebody else's.
constexpr auto kSpin = std::chrono::microseconds(50);

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Whether it came true within kSpin.
template <class Condition>
bool SpinUntil(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 16; ++i) {
      if (condition()) {
        return true;
      }
      Pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

int AvailableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Threads beyond the CPUs would keep each other from working.
ThreadPool::ThreadPool(int threads)
    : spin_(threads <= AvailableCpus()),
      shares_(std::make_unique<Share[]>(static_cast<std::size_t>(threads))) {
  try {
    workers_.reserve(static_cast<std::size_t>(threads));
    for (int i = 1; i < threads; ++i) {
      workers_.emplace_back([this, i] { Loop(static_cast<std::size_t>(i)); });
    }
  } catch (const std::exception& error) {
    // Those that wait would keep the members from being destroyed.
    const std::size_t started = workers_.size() + 1;
    Stop();
    throw Error(Exit::kUsage, "threads=" + std::to_string(threads) + ": only " +
                                  std::to_string(started) + " could be started (" + error.what() +
                                  "); lower threads, or raise the limits of memory and "
                                  "processes");
  }
}

ThreadPool::~ThreadPool() { Stop(); }

void ThreadPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) {
    worker.join();
  }
}

void ThreadPool::Work(std::size_t thread) {
  const std::size_t count = workers_.size() + 1;
  try {
    for (std::size_t i = 0; i < count; ++i) {
      Share& share = shares_[(thread + i) % count];
      for (std::int64_t task = share.next.fetch_add(1); task < share.end;
           task = share.next.fetch_add(1)) {
        call_(data_, task);
      }
    }
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      if (error_ == nullptr) {
        error_ = std::current_exception();
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      shares_[i].next = shares_[i].end;
    }
  }
}

void ThreadPool::Run(std::int64_t count, const void* data, Call call) {
  // One task is not worth waking anybody.
  if (workers_.empty() || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      call(data, i);
    }
    return;
  }
  data_ = data;
  call_ = call;
  for (std::int64_t i = 0; i < threads(); ++i) {
    Share& share = shares_[static_cast<std::size_t>(i)];
    share.next = count * i / threads();
    share.end = count * (i + 1) / threads();
  }
  // Nobody is in a loop now, so nobody else changes the gate.
  gate_ = (gate_ & ~(kRound - 1)) + kRound + kOpen;
  WakeWorkers();
  Work(0);
  gate_ &= ~kOpen;
  WaitForWorkers();
  if (error_ != nullptr) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

// The gate is written before the sleepers are read, and Loop() writes and reads them the other way
// around, so one side sees the other.
void ThreadPool::WakeWorkers() {
  if (sleeping_ != 0) {
    { const std::lock_guard lock(mutex_); }
    start_.notify_all();
  }
}

void ThreadPool::WaitForWorkers() {
  const auto none = [this] { return (gate_ & kWorkers) == 0; };
  if (none() || (spin_ && SpinUntil(none))) {
    return;
  }
  std::unique_lock lock(mutex_);
  caller_sleeps_ = true;
  done_.wait(lock, none);
  caller_sleeps_ = false;
}

// Into a loop that this worker has not seen, where one is open.
bool ThreadPool::Join(std::uint64_t& seen) {
  std::uint64_t gate = gate_;
  while ((gate & kOpen) != 0 && gate / kRound != seen) {
    if (gate_.compare_exchange_weak(gate, gate + 1)) {
      seen = gate / kRound;
      return true;
    }
  }
  return false;
}

void ThreadPool::Leave() {
  const std::uint64_t gate = --gate_;
  if ((gate & (kWorkers | kOpen)) == 0 && caller_sleeps_) {
    { const std::lock_guard lock(mutex_); }
    done_.notify_one();
  }
}

void ThreadPool::Loop(std::size_t thread) {
  std::uint64_t seen = 0;
  for (;;) {
    const auto called = [&] {
      const std::uint64_t gate = gate_;
      return stop_ || ((gate & kOpen) != 0 && gate / kRound != seen);
    };
    if (!called() && !(spin_ && SpinUntil(called))) {
      std::unique_lock lock(mutex_);
      ++sleeping_;
      start_.wait(lock, called);
      --sleeping_;
    }
    if (stop_) {
      return;
    }
    if (Join(seen)) {
      Work(thread);
      Leave();
    }
  }
}

}  // namespace engine
