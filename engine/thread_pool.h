// SPDX-License-Identifier: Apache-2.0
// thread_pool.h: threads that share the tasks of one loop.
//
// Which thread runs a task is left open, so tasks must not depend on each other: each writes its
// own part of the result, and sums are never split over tasks. Then results are the same bits for
// any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
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
  void Run(std::int64_t count, const void* data, Call call);
  void Work();
  void Loop();
  void Stop();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::uint64_t round_ = 0;  // counts loops; a change wakes the workers
  int busy_ = 0;             // workers that have not ended this round
  bool stop_ = false;
  const void* data_ = nullptr;
  Call call_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::exception_ptr error_;
};

}  // namespace engine
