// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/error.h"

namespace engine {

int AvailableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) {
  try {
    workers_.reserve(static_cast<std::size_t>(threads));
    for (int i = 1; i < threads; ++i) {
      workers_.emplace_back([this] { Loop(); });
    }
  } catch (const std::exception& error) {
    // Those that wait would keep the members from being destroyed.
    const std::size_t started = workers_.size() + 1;
    Stop();
    throw Error(ErrorKind::kUsage, "threads=" + std::to_string(threads) + ": only " +
                                       std::to_string(started) + " could be started (" +
                                       error.what() +
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

void ThreadPool::Work() {
  try {
    for (std::int64_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      call_(data_, i);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr) {
      error_ = std::current_exception();
    }
    next_ = count_;
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
  {
    const std::lock_guard lock(mutex_);
    data_ = data;
    call_ = call;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  Work();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (error_ != nullptr) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

void ThreadPool::Loop() {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) {
        return;
      }
      seen = round_;
    }
    Work();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) {
      done_.notify_one();
    }
  }
}

}  // namespace engine
