// SPDX-License-Identifier: Apache-2.0
// thread_pool.h: threads that share the tasks of one loop.
//
// Which thread runs a task is left open, so tasks must not depend on each other: each writes its
// own part of the result, and sums are never split over tasks. Then results are the same bits for
// any number of threads.
//
// Each thread starts with tasks of its own that follow each other, so that it reads memory in
// order, and then helps the others. A step of a model is a hundred loops of some 100 us with less
// than 10 us between them, so workers that have run out of tasks look for the next loop for a while
// before they sleep: waking one takes a virtual machine 5 to 50 us. A worker that another process
// keeps from its core is not waited for: the caller ends the loop without it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace engine {

// CPUs that this process may run on.
int AvailableCpus();

class ThreadPool {
 public:
  // threads >= 1, the caller's own among them. Throws Error(kUsage) when they cannot be started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(i) for each i in [0, count) and returns when all have run. Allocates nothing. The
  // first exception of a task is thrown again here, after the others have ended. One caller at a
  // time.
  template <class Task>
  void For(std::int64_t count, const Task& task) {
    Run(count, &task,
        [](const void* data, std::int64_t i) { (*static_cast<const Task*>(data))(i); });
  }

 private:
  using Call = void (*)(const void* data, std::int64_t index);
  // What one thread starts with. A cache line each: the threads take from them all the time.
  struct alignas(64) Share {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  void Run(std::int64_t count, const void* data, Call call);
  void Work(std::size_t thread);
  void Loop(std::size_t thread);
  bool Join(std::uint64_t& seen);
  void Leave();
  void WakeWorkers();
  void WaitForWorkers();
  void Stop();

  const bool spin_;
  std::unique_ptr<Share[]> shares_;  // [threads]
  std::vector<std::thread> workers_;
  // The loop: how many there were, whether it may be joined, workers in it.
  std::atomic<std::uint64_t> gate_{0};
  std::atomic<int> sleeping_{0};  // workers
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // of sleeping and of error_
  std::condition_variable start_, done_;
  const void* data_ = nullptr;
  Call call_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace engine
