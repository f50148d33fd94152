// SPDX-License-Identifier: Apache-2.0
// For Google Benchmark 1.7, which can fix an iteration count only per family.
//
// Benchmark::Iterations() must be called on the family, and the library gives no way to enumerate
// the registered families. So the linker sends every registration of the executable through
// __wrap_...RegisterBenchmarkInternal below (--wrap, an INTERFACE link option of perfgate::main),
// which remembers the pointer. The worker then writes the family's fields itself: Iterations()
// refuses families with MinTime(), and nothing can be read back or reset through the interface.
// Version 1.7 is final, so its fields are too.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>

#include "perfgate/bench/worker/case_name.h"
#include "perfgate/bench/worker/iteration_control.h"
#include "perfgate/bench/worker/library_flags.h"
#include "perfgate/bench/worker/quiet_reporter.h"

namespace perfgate::bench {
namespace {

using Family = benchmark::internal::Benchmark;
using ArgumentLists = std::vector<std::vector<std::int64_t>>;

struct Registered {
  explicit Registered(Family* f) : family(f) {}
  Family* family;
  benchmark::IterationCount fixed = 0;  // its own Iterations(k)
  // What Park() took away.
  ArgumentLists arguments;
  std::vector<std::string> argument_names;
};

struct Registry {
  std::vector<Registered> families;
  std::size_t awake = 0;  // the one family that is not parked, once cases were taken
};

// Function-local, because families register during static initialisation.
Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

// Access to private fields: an explicit instantiation may name them ([temp.spec.general]/6).
template <typename Tag, typename Tag::Type field>
struct Reveal {
  friend typename Tag::Type Field(Tag) { return field; }
};
struct IterationsTag {
  using Type = benchmark::IterationCount Family::*;
  friend Type Field(IterationsTag);
};
struct RepetitionsTag {
  using Type = int Family::*;
  friend Type Field(RepetitionsTag);
};
struct MinWarmUpTimeTag {
  using Type = double Family::*;
  friend Type Field(MinWarmUpTimeTag);
};
struct ComplexityTag {
  using Type = benchmark::BigO Family::*;
  friend Type Field(ComplexityTag);
};
struct ArgumentsTag {
  using Type = ArgumentLists Family::*;
  friend Type Field(ArgumentsTag);
};
struct ArgumentNamesTag {
  using Type = std::vector<std::string> Family::*;
  friend Type Field(ArgumentNamesTag);
};
template struct Reveal<IterationsTag, &Family::iterations_>;
template struct Reveal<RepetitionsTag, &Family::repetitions_>;
template struct Reveal<MinWarmUpTimeTag, &Family::min_warmup_time_>;
template struct Reveal<ComplexityTag, &Family::complexity_>;
template struct Reveal<ArgumentsTag, &Family::args_>;
template struct Reveal<ArgumentNamesTag, &Family::arg_names_>;

// A family with argument names and no arguments has no instances. Every run of the library makes
// all instances of all families before it filters them, which in a suite of thousands takes as long
// as a slice (docs/protocol.md), so only the family whose turn it is keeps its arguments.
void Park(Registered& registered) {
  registered.arguments.swap(registered.family->*Field(ArgumentsTag()));
  registered.argument_names.swap(registered.family->*Field(ArgumentNamesTag()));
  (registered.family->*Field(ArgumentNamesTag())).emplace_back("parked");
}

void Wake(Registered& registered) {
  (registered.family->*Field(ArgumentNamesTag())).clear();
  registered.arguments.swap(registered.family->*Field(ArgumentsTag()));
  registered.argument_names.swap(registered.family->*Field(ArgumentNamesTag()));
}

constexpr std::int64_t kMark = 1'000'000'000;  // family f is listed as /iterations:<kMark + f>

// Splits "head/iterations:<kMark + f>tail" and returns f, or -1 for a name without the mark.
// Nothing after the mark can contain "/iterations:" (only time type and threads follow it).
std::int64_t SplitAtMark(const std::string& marked, std::string* head, std::string* tail) {
  constexpr std::string_view kKey = "/iterations:";
  const std::size_t at = marked.rfind(kKey);
  if (at == std::string::npos) return -1;
  const char* digits = marked.data() + at + kKey.size();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits, marked.data() + marked.size(), number);
  const auto families = static_cast<std::int64_t>(TheRegistry().families.size());
  if (error != std::errc() || number < kMark || number >= kMark + families) return -1;
  *head = marked.substr(0, at + kKey.size());
  *tail = marked.substr(static_cast<std::size_t>(end - marked.data()));
  return number - kMark;
}

}  // namespace

std::vector<Case> TakeCases() {
  std::vector<std::string> canonical = ListQuietly();

  Registry& registry = TheRegistry();
  std::int64_t mark = kMark;
  for (Registered& registered : registry.families) {
    Family* const family = registered.family;
    registered.fixed = family->*Field(IterationsTag());
    family->*Field(IterationsTag()) = mark++;
    family->*Field(RepetitionsTag()) = 0;    // one repetition per run, so that a slice is one
    family->*Field(MinWarmUpTimeTag()) = 0;  // it would warm up in every slice
    // Nothing to fit to one instance; and 1.7 crashes where the only one ends in SkipWithError.
    family->*Field(ComplexityTag()) = benchmark::oNone;
  }
  const std::vector<std::string> marked = ListQuietly();

  std::vector<Case> cases;
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    Case c;
    c.name = std::move(canonical[i]);
    std::string head;
    std::string tail;
    const std::int64_t family = i < marked.size() ? SplitAtMark(marked[i], &head, &tail) : -1;
    if (family < 0) {
      c.unreachable =
          "the case is registered in a shared library, where Google Benchmark 1.7 cannot be told "
          "iteration counts; link it into the executable or use Google Benchmark 1.8";
    } else {
      c.family = static_cast<std::size_t>(family);
      c.iterations_per_run = registry.families[c.family].fixed;
      c.filter_head = "^" + EscapeRegex(head);
      c.filter_tail = EscapeRegex(tail) + "$";
    }
    const NameTail end = ParseNameTail(family < 0 ? c.name : "case" + tail);
    c.threads = end.threads;
    c.clock = Word(end.clock);
    c.process_time = end.process_time;
    cases.push_back(std::move(c));
  }
  NumberTwins(cases);
  SetLibraryFlag("--benchmark_list_tests=false");
  for (std::size_t f = 1; f < registry.families.size(); ++f) Park(registry.families[f]);
  return cases;
}

std::string Select(const Case& c, std::int64_t iterations) {
  Registry& registry = TheRegistry();
  if (registry.awake != c.family) {
    Park(registry.families[registry.awake]);
    registry.awake = c.family;
    Wake(registry.families[registry.awake]);
  }
  registry.families[c.family].family->*Field(IterationsTag()) = iterations;
  return c.filter_head + std::to_string(iterations) + c.filter_tail;
}

}  // namespace perfgate::bench

// NOLINTBEGIN: the linker's names
extern "C" benchmark::internal::Benchmark*
__real__ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE(
    benchmark::internal::Benchmark* family);

extern "C" benchmark::internal::Benchmark*
__wrap__ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE(
    benchmark::internal::Benchmark* family) {
  perfgate::bench::TheRegistry().families.emplace_back(family);
  return __real__ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE(family);
}

// ClearRegisteredBenchmarks() deletes the families.
extern "C" void __real__ZN9benchmark25ClearRegisteredBenchmarksEv();

extern "C" void __wrap__ZN9benchmark25ClearRegisteredBenchmarksEv() {
  perfgate::bench::TheRegistry().families.clear();
  __real__ZN9benchmark25ClearRegisteredBenchmarksEv();
}
// NOLINTEND
