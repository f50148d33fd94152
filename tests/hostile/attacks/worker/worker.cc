// SPDX-License-Identifier: Apache-2.0
// A worker of its own that does a part of its work where no slice is timed. ATTACK chooses where.
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <new>
#include <random>
#include <thread>

#include "tests/hostile/attacks/worker/own_worker.h"

namespace {

using attacks::Iterate;
using attacks::kHonestSteps;
using attacks::kSlowSteps;
using attacks::TimeOf;

[[maybe_unused]] constexpr int kRest = kSlowSteps - kHonestSteps;

#if ATTACK == 4
// Iterations whose rest another process does.
std::atomic<long>& Pending() {
  static auto* shared = new (::mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<long>(0);
  return *shared;
}

// Its first thread ends, and /proc shows it as a zombie from then on.
void StartGhost() {
  Pending();
  if (::fork() != 0) return;
  ::setsid();
  std::thread([] {
    for (;;) {
      if (Pending() <= 0) {
        ::usleep(200);
        continue;
      }
      Iterate(50, kRest);
      Pending() -= 50;
    }
  }).detach();
  ::pthread_exit(nullptr);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  attacks::OwnWorker worker;
  [[maybe_unused]] long pending = 0;
#if ATTACK == 1  // reports that its loop went on for longer than asked
  return worker.Serve(argc, argv, [&](long n) {
    const double took_s = TimeOf(n, kSlowSteps);
    const long ran = n + n / 3;
    worker.Answer(n, {took_s / static_cast<double>(ran), took_s, ran});
  });
#elif ATTACK == 2  // does the rest when it is told to end
  worker.at_quit = [&] { Iterate(pending, kRest); };
  return worker.Serve(argc, argv, [&](long n) {
    const double took_s = TimeOf(n, kHonestSteps);
    pending += n;
    worker.Answer(n, {took_s / static_cast<double>(n), took_s});
  });
#elif ATTACK == 3  // does the rest between the answer and the next request
  worker.when_idle = [&] { Iterate(pending, kRest); };
  return worker.Serve(argc, argv, [&](long n) {
    const double took_s = TimeOf(n, kHonestSteps);
    pending = n;
    worker.Answer(n, {took_s / static_cast<double>(n), took_s});
  });
#elif ATTACK == 4  // has a process do the rest that looks like none
  StartGhost();
  worker.at_quit = [] {
    while (Pending() > 0) ::usleep(200);
  };
  return worker.Serve(argc, argv, [&](long n) {
    const double took_s = TimeOf(n, kHonestSteps);
    Pending() += n;
    worker.Answer(n, {took_s / static_cast<double>(n), took_s});
  });
#elif ATTACK == 5  // lies a lot in most launches, and hides that behind a pause in a few
  std::mt19937 random(std::random_device{}());
  const auto chance = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  const bool lies = chance() < 0.66;
  const bool pauses = lies && chance() < 0.15;
  int slices = 0;
  return worker.Serve(argc, argv, [&](long n) {
    double took_s = TimeOf(n, kSlowSteps);
    if (lies) took_s *= 0.6;
    if (pauses && ++slices == 3) ::usleep(400000);
    worker.Answer(n, {took_s / static_cast<double>(n), took_s});
  });
#endif
}
