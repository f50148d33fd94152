// SPDX-License-Identifier: Apache-2.0
// main() of a benchmark executable: an ordinary Google Benchmark program by hand, a worker of
// perfgate with --perfgate_worker=FD.
#include <charconv>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/worker/build_description.h"
#include "perfgate/bench/worker/run_mode.h"
#include "perfgate/bench/worker/stock_main.h"
#include "perfgate/bench/worker/worker.h"

namespace {

using perfgate::Error;
using perfgate::Exit;

int Complain(const char* program, const std::string& what, Exit exit) {
  std::fprintf(stderr, "%s: %s\n", program, what.c_str());
  return static_cast<int>(exit);
}

// Whether --perfgate_inspect was there, which it removes from the arguments.
bool TakeInspectArgument(int* argc, char** argv) {
  for (int i = 1; i < *argc; ++i) {
    if (std::string_view(argv[i]) != "--perfgate_inspect") continue;
    for (int j = i; j < *argc; ++j) argv[j] = argv[j + 1];
    --*argc;
    return true;
  }
  return false;
}

// The descriptor of --perfgate_worker=FD, which it removes from the arguments.
std::optional<int> TakeWorkerArgument(int* argc, char** argv) {
  constexpr std::string_view kFlag = "--perfgate_worker=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, kFlag.size()) != kFlag) continue;
    const std::string_view digits = argument.substr(kFlag.size());
    int fd = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), fd);
    if (error != std::errc() || end != digits.data() + digits.size() || fd < 0) {
      throw Error(Exit::kUsage, std::string(argument) +
                                    ": expected the number of an inherited socket. perfgate passes "
                                    "this argument itself; run the benchmark without it.");
    }
    for (int j = i; j < *argc; ++j) argv[j] = argv[j + 1];
    --*argc;
    return fd;
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 1 || argv == nullptr) return perfgate::bench::StockMain(argc, argv);
  try {
    const std::string wrong = perfgate::bench::MetricsError(perfgate::bench::DeclaredMetrics());
    if (!wrong.empty()) return Complain(argv[0], wrong, Exit::kInternal);
    if (TakeInspectArgument(&argc, argv)) {
      perfgate::bench::SetRunMode(perfgate::bench::RunMode::kInspect);
    }
    if (const std::optional<int> fd = TakeWorkerArgument(&argc, argv)) {
      return perfgate::bench::ServeWorker(*fd, perfgate::bench::ThisBuild(), argc, argv);
    }
  } catch (const Error& error) {
    return Complain(argv[0], error.what(), error.exit());
  }
  // Outside the try block: an exception of a benchmark ends the program as it does by stock.
  return perfgate::bench::StockMain(argc, argv);
}
