// SPDX-License-Identifier: Apache-2.0
// Cases whose speed their executable's own last bytes name ("PARITY=<time> <rate> <noise>
// <what>;"), so that one build gives every arm: copy it and append.
//
// parity/time takes <time> x 0.1 ms, with normal noise between launches of relative SD <noise>.
// parity/rate takes the same and reports a throughput of <rate> x 1000 tok/s without noise.
// <what>: "plain", "crash" (both cases), "late" (from the third slice on), "lacks" (parity/time) or
// "roles" (half, all or twice the time, as the role of the round has it).
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <random>
#include <sstream>
#include <string>

#include "perfgate/bench/metrics.h"
#include "tests/support/jitter.h"

namespace {

PERFGATE_METRIC("throughput", "tok/s", perfgate::bench::Direction::kHigher,
                perfgate::bench::Kind::kRate)

struct Speed {
  double time = 1;
  double rate = 1;
  double noise = 0;
  std::string what = "plain";
};

const Speed& speed() {
  static const Speed kSpeed = [] {
    std::string tail(128, '\0');
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const off_t size = lseek(fd, 0, SEEK_END);
    const ssize_t got = pread(fd, tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
    close(fd);
    tail.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    Speed result;
    const std::size_t begin = tail.rfind("PARITY=");
    if (begin == std::string::npos) return result;
    std::istringstream words(tail.substr(begin + 7, tail.find(';', begin) - begin - 7));
    words >> result.time >> result.rate >> result.noise >> result.what;
    return result;
  }();
  return kSpeed;
}

// The folder of the path that this launch was started through ends in the role's number.
double role_factor() {
  const std::string path = program_invocation_name;
  const std::size_t end = path.rfind('/');
  if (speed().what != "roles" || end == std::string::npos || end == 0) return 1;
  return std::ldexp(1.0, path[end - 1] - '1');
}

void run(benchmark::State& state) {
  static const double kLaunch = [] {
    std::mt19937_64 random{std::random_device{}()};
    return std::max(0.1, 1 + speed().noise * std::normal_distribution<double>()(random));
  }();
  static int slices = 0;
  ++slices;
  if (speed().what == "crash" || (speed().what == "late" && slices > 2)) raise(SIGSEGV);
  for (auto _ : state)
    state.SetIterationTime(
        perfgate::testing_jitter::Jittered(1e-4 * speed().time * kLaunch * role_factor()));
}

void with_rate(benchmark::State& state) {
  run(state);
  state.counters["throughput"] = 1000 * speed().rate;
}

[[maybe_unused]] const bool kRegistered = [] {
  if (speed().what != "lacks") {
    benchmark::RegisterBenchmark("parity/time", run)->UseManualTime();
  }
  benchmark::RegisterBenchmark("parity/rate", with_rate)->UseManualTime();
  return true;
}();

}  // namespace
