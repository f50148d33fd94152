// SPDX-License-Identifier: Apache-2.0
// libperfgate_worker.so, preloaded: makes an unmodified Google Benchmark executable a worker.
//
// It stands before the executable's own libbenchmark.so and takes over RunSpecifiedBenchmarks(),
// where every program runs its cases, however it got there: BENCHMARK_MAIN, its own main,
// its own flags, cases registered at run time. The first call serves the worker protocol
// (docs/protocol.md) until `quit`; then the program goes on as after any run and ends by itself.
// Nothing of the library is linked: every symbol is the one that the process has anyway.
//
// Without the variable PERFGATE_WORKER, and in what the program starts, all of this stands aside.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/bench/preload/launched.h"
#include "perfgate/bench/worker/worker.h"

namespace perfgate::bench {
namespace {

// Read by perfgate from the file: the library that this one was compiled for, whose classes it
// knows by their fields.
__attribute__((used, section(".perfgate"))) const char kLibraryMarker[] =
    "perfgate-worker-for-libbenchmark:" PERFGATE_BENCHMARK_VERSION;

struct Preloaded {
  int fd = -1;            // of the gate's socket; -1: this process is no worker
  bool serving = false;   // inside the worker, whose calls go to the library
  bool served = false;    // the worker has ended by `quit`
  std::size_t cases = 0;  // that it served
  std::size_t later = 0;  // registrations and removals since then
};

// What the symbols below share; they take no argument of ours.
Preloaded& ThePreloaded() {
  static Preloaded preloaded{.fd = TakeLaunchVariables()};
  return preloaded;
}

// Before main() starts anything that would inherit the variables.
__attribute__((constructor)) void ReadEnvironment() { ThePreloaded(); }

// The definition behind ours: that of the executable's library.
template <typename Function>
Function* TheirOwn(const char* symbol) {
  void* const found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    std::fprintf(stderr, "perfgate: the benchmark library of this program has no %s\n", symbol);
    _exit(static_cast<int>(Exit::kInternal));
  }
  return reinterpret_cast<Function*>(found);
}

bool IsEverything(std::string_view spec) { return spec.empty() || spec == "." || spec == "all"; }

// What a run returns: the number of cases.
std::size_t Serve(std::string_view spec) {
  Preloaded& preloaded = ThePreloaded();
  if (preloaded.served) {
    if (preloaded.later == 0) return preloaded.cases;
    std::fprintf(stderr,
                 "perfgate: the program registered other cases between two runs of its cases\n");
    _exit(static_cast<int>(Exit::kData));
  }
  preloaded.serving = true;
  if (!IsEverything(spec)) {
    RefuseToServe(preloaded.fd, "the program chooses its cases itself: it runs those that match '" +
                                    std::string(spec) + "'");
  }
  preloaded.cases = ServePreloaded(preloaded.fd);
  preloaded.serving = false;
  preloaded.served = true;
  preloaded.later = 0;
  return preloaded.cases;
}

bool IsOurs() {
  const Preloaded& preloaded = ThePreloaded();
  return preloaded.fd >= 0 && !preloaded.serving;
}

}  // namespace
}  // namespace perfgate::bench

// NOLINTBEGIN: names and signatures are the library's, and the linker's
#define PERFGATE_INTERNAL_EXPORT __attribute__((visibility("default")))
#define PERFGATE_INTERNAL_RUN "_ZN9benchmark22RunSpecifiedBenchmarksE"
#define PERFGATE_INTERNAL_REPORTER "PNS_17BenchmarkReporterE"
#define PERFGATE_INTERNAL_STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

namespace benchmark {

using perfgate::bench::IsOurs;
using perfgate::bench::Serve;
using perfgate::bench::TheirOwn;

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks() {
  if (IsOurs()) return Serve("");
  return TheirOwn<size_t()>(PERFGATE_INTERNAL_RUN "v")();
}

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks(std::string spec) {
  if (IsOurs()) return Serve(spec);
  return TheirOwn<size_t(std::string)>(PERFGATE_INTERNAL_RUN PERFGATE_INTERNAL_STRING)(spec);
}

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks(BenchmarkReporter* display) {
  if (IsOurs()) return Serve("");
  return TheirOwn<size_t(BenchmarkReporter*)>(PERFGATE_INTERNAL_RUN PERFGATE_INTERNAL_REPORTER)(
      display);
}

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks(BenchmarkReporter* display,
                                                       std::string spec) {
  if (IsOurs()) return Serve(spec);
  return TheirOwn<size_t(BenchmarkReporter*, std::string)>(
      PERFGATE_INTERNAL_RUN PERFGATE_INTERNAL_REPORTER PERFGATE_INTERNAL_STRING)(display, spec);
}

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks(BenchmarkReporter* display,
                                                       BenchmarkReporter* file) {
  if (IsOurs()) return Serve("");
  return TheirOwn<size_t(BenchmarkReporter*, BenchmarkReporter*)>(
      PERFGATE_INTERNAL_RUN PERFGATE_INTERNAL_REPORTER "S1_")(display, file);
}

PERFGATE_INTERNAL_EXPORT size_t RunSpecifiedBenchmarks(BenchmarkReporter* display,
                                                       BenchmarkReporter* file, std::string spec) {
  if (IsOurs()) return Serve(spec);
  return TheirOwn<size_t(BenchmarkReporter*, BenchmarkReporter*, std::string)>(
      PERFGATE_INTERNAL_RUN PERFGATE_INTERNAL_REPORTER
      "S1_" PERFGATE_INTERNAL_STRING)(display, file, spec);
}

}  // namespace benchmark

#define PERFGATE_INTERNAL_REGISTER \
  "_ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE"
#define PERFGATE_INTERNAL_CLEAR "_ZN9benchmark25ClearRegisteredBenchmarksEv"

// Of iteration_control_1_7.cc, which learns the families from what the linker's --wrap sends to it;
// here the dynamic linker does, and it also sees those of shared libraries.
extern "C" benchmark::internal::Benchmark*
__real__ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE(
    benchmark::internal::Benchmark* family) {
  using Register = benchmark::internal::Benchmark*(benchmark::internal::Benchmark*);
  return perfgate::bench::TheirOwn<Register>(PERFGATE_INTERNAL_REGISTER)(family);
}

extern "C" void __real__ZN9benchmark25ClearRegisteredBenchmarksEv() {
  perfgate::bench::TheirOwn<void()>(PERFGATE_INTERNAL_CLEAR)();
}

#if PERFGATE_BENCHMARK_1_8
#define PERFGATE_INTERNAL_SEES(name) __real_##name
#else
#define PERFGATE_INTERNAL_SEES(name) __wrap_##name
extern "C" benchmark::internal::Benchmark*
__wrap__ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE(
    benchmark::internal::Benchmark* family);
extern "C" void __wrap__ZN9benchmark25ClearRegisteredBenchmarksEv();
#endif

namespace benchmark {
namespace internal {

PERFGATE_INTERNAL_EXPORT Benchmark* RegisterBenchmarkInternal(Benchmark* family) {
  ++perfgate::bench::ThePreloaded().later;
  return PERFGATE_INTERNAL_SEES(_ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE)(
      family);
}

}  // namespace internal

PERFGATE_INTERNAL_EXPORT void ClearRegisteredBenchmarks() {
  ++perfgate::bench::ThePreloaded().later;
  PERFGATE_INTERNAL_SEES(_ZN9benchmark25ClearRegisteredBenchmarksEv)();
}

}  // namespace benchmark
// NOLINTEND
