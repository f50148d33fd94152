// SPDX-License-Identifier: Apache-2.0
// overhead: what a worker costs beyond the timed work.
//   bench_overhead EXECUTABLE [SLICES]
// prints the time from start to hello and to the list, and over SLICES slices of one iteration of
// an empty case, spread over the suite, the quartiles of the round trip and of the part of wall_s
// that is not timed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/perfgate/bench/worker_client.h"

namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Print(const char* what, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  std::printf("%-28s quartiles %.4f %.4f %.4f ms, largest %.4f ms\n", what, values[n / 4],
              values[n / 2], values[3 * n / 4], values[n - 1]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s EXECUTABLE [SLICES]\n", argv[0]);
    return 64;
  }
  const std::size_t slices =
      argc > 2 ? std::max(4UL, std::strtoul(argv[2], nullptr, 10)) : std::size_t{1000};
  const Clock::time_point start = Clock::now();
  perfgate::bench::WorkerClient worker(argv[1]);
  const double hello_ms = MillisecondsSince(start);
  const std::size_t cases = worker.list().at("cases").size();
  std::printf("library %s, %zu cases: hello after %.1f ms, list after %.1f ms\n",
              worker.hello().at("library").get<std::string>().c_str(), cases, hello_ms,
              MillisecondsSince(start));
  std::vector<double> round_trips;
  std::vector<double> untimed;
  for (std::size_t i = 0; i < slices; ++i) {
    const Clock::time_point asked = Clock::now();
    const nlohmann::json reply = worker.Slice(static_cast<int>(i * cases / slices), 1);
    round_trips.push_back(MillisecondsSince(asked));
    untimed.push_back(1e3 * (reply.at("wall_s").get<double>() - reply.at("total_s").get<double>()));
  }
  Print("round trip of a slice:", round_trips);
  Print("wall_s - total_s:", untimed);
  return 0;
}
