// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace perfgate::stats {

std::size_t thread_count(std::size_t threads) {
  // glibc's hardware_concurrency() counts the processors of the affinity mask.
  return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& body) {
  threads = std::min(thread_count(threads), count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) {
          failure = std::current_exception();
        }
        next = count;
        return;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t t = 1; t < threads; ++t) {
        helpers.emplace_back(work);
      }
    } catch (const std::system_error&) {  // no more threads: fewer do the work
    }
    work();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace perfgate::stats
