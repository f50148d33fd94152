// SPDX-License-Identifier: Apache-2.0
// session.h: everything one invocation measured on one machine, raw and replayable.
//
// A session holds rounds; a round is a fresh launch of every arm and is the independent unit of all
// statistics. Inside a round each case has `pairs` slices per arm. docs/formats.md has the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/machine.h"
#include "perfgate/evidence/metrics/metric.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/trust.h"

namespace perfgate::inline evidence {

// How an arm's executable is driven: as a worker that speaks the protocol, or process by process.
// A command line is no benchmark: every run of it is a process, and its whole time counts.
enum class DriverKind { kWorker, kProcessPerCase, kProcessPerSuite, kCommand };

constexpr EnumWords<4> enum_words(DriverKind) {
  return {"driver", {{"worker", "process_per_case", "process_per_suite", "command"}}};
}

// Compiler settings of an executable as far as they are known; empty strings where they are not.
struct BuildInfo {
  std::string compiler;
  std::string sanitizer;
  bool known = false;
  bool optimized = false;
  bool assertions = false;
  // What its own macros say of code generation: "avx2 fma pie fortify=2"; empty: not known.
  std::string codegen;

  bool operator==(const BuildInfo&) const = default;
};

// One line of a fingerprint: something that was run, or where. Absent names are absent, not empty.
struct NamedValue {
  std::string name;  // dotted lower case: "model", "context.num_cpus"
  std::string value;

  bool operator==(const NamedValue&) const = default;
};

struct ArmInfo {
  std::string label;  // "baseline", "candidate", or a name given to `perfgate run`
  std::string path;
  std::string digest;  // "sha256:<hex>" over file and non-system libraries, or imported files
  DriverKind driver = DriverKind::kWorker;
  std::string library;  // Google Benchmark version, empty when unknown
  BuildInfo build;
  int layouts = 0;  // that rounds drew from; 0: one link
  // What it was run with beyond what perfgate passes, and which of its cases were compared.
  std::vector<std::string> arguments{};
  std::vector<NamedValue> environment{};
  std::string
      compared_cases{};  // as asked for: a regular expression, or a name with groups; empty: all
};

// A foreign file that values of this session come from.
struct Origin {
  std::string format;    // "google_benchmark", "hyperfine", ...
  std::string version;   // of the program that wrote it, empty where the file does not say
  std::string importer;  // what read it: "perfgate 0.1.0"
  std::string file;      // its name as given
  std::string digest;    // "sha256:<hex>" of its bytes
  std::string recorded;  // when it was written, as the file says; empty: it does not
  std::string commit;    // revision of the code that ran, as the file says; empty: it does not
};

// What one iteration has to do at least, whatever the implementation; 0: not declared.
struct DeclaredWork {
  double bytes = 0;
  double flops = 0;
  std::string ceiling;  // case whose bytes per second are the most that can be had; empty: none

  bool operator==(const DeclaredWork&) const = default;
};

struct CaseInfo {
  std::string name;
  int threads = 1;
  std::string time = "real";          // gated time: "real", "manual" or "cpu"
  std::int64_t fixed_iterations = 0;  // > 0 where the family fixes Iterations()
  std::int64_t iterations = 0;        // calibrated iterations of one slice; 0: by time
  double slice_s = 0;                 // calibrated timed seconds of one slice
  double setup_share = 0;             // share of a slice's wall time spent outside the timed loop
  // What the gate chose for this case so that its budget holds enough rounds.
  int pairs = 0;                       // slice pairs per round; 0: as the policy says
  int warmup_slices = -1;              // discarded slices per arm and round; -1: as the policy says
  double wall_s = 0;                   // predicted wall seconds of one slice; 0: not known
  std::vector<NamedValue> workload{};  // what was run, as far as it is known beyond the name
  std::vector<std::string> aggregates{};  // metrics whose values a tool averaged: never a claim
  DeclaredWork work{};
  // What every arm computes, bit for bit, as result_digest.h shows it; empty: nothing is promised.
  std::string result{};
  // Per arm, where each has its own `iterations`; empty: all have the same.
  std::vector<std::int64_t> arm_iterations{};
  bool checked = false;  // every arm holds its results against others while it is measured
};

inline std::int64_t IterationsOf(const CaseInfo& info, std::size_t arm) {
  return info.arm_iterations.empty() ? info.iterations : info.arm_iterations[arm];
}

inline int PairsOf(const CaseInfo& info, const Policy& policy) {
  return info.pairs > 0 ? info.pairs : policy.pairs;
}

inline int WarmupSlicesOf(const CaseInfo& info, const Policy& policy) {
  return info.warmup_slices >= 0 ? info.warmup_slices : policy.warmup_slices;
}

// The measured slices of one case in one round. values[metric][arm][slice], NaN where absent;
// slices at the same index are adjacent in time and form a pair.
struct CaseRound {
  std::size_t case_index = 0;
  int first_arm = 0;    // the arm that took the first slot of the first pair
  int void_slices = 0;  // slices repeated because the idle arm had used the core
  std::vector<std::vector<std::vector<double>>> values;
  // [arm][slice], rounded to 5 digits; empty: not known. What the gate's own clock saw of a slice,
  // less the time for which the gate itself waited for a core; and the seconds that the arm's
  // report accounts for: its timed iterations, and those by which its library found their number.
  std::vector<std::vector<double>> slice_wall_s{};
  std::vector<std::vector<double>> slice_timed_s{};
};

struct RoundInfo {
  int index = 0;
  std::uint64_t coin = 0;  // 0: label X is arm 0; 1: label X is arm 1 (launch order, slots, paths)
  std::vector<int> cpus;   // cores the arms were pinned to, empty when pinning was not possible
  double started_s = 0;    // since the session's start
  double wall_s = 0;
  RoundConditions conditions;
  std::vector<CaseRound> cases;   // in the order measured
  std::vector<double> reference;  // seconds of each component of the reference workload
  // Per arm the layout that it ran, by its seed; empty: every round runs the same link.
  std::vector<int> layouts{};
};

enum class FaultKind {
  kSkipped,         // the case skips itself, with a reason
  kError,           // SkipWithError
  kCrashed,         // a signal or a non-zero exit
  kExited,          // exit code 0 in the middle of the work
  kTimeout,         // the per-slice limit
  kBadValue,        // NaN, infinite, zero or negative where the metric is positive
  kNoOutput,        // nothing that can be read as a result
  kProtocol,        // wrong answers on the worker's socket
  kAbsent,          // the arm does not have the case
  kLeftover,        // processes stayed behind
  kLaunch,          // the executable could not be started
  kTooManyThreads,  // more threads than cores, and the policy does not allow it
  kUnmeasured,      // the budget ended before the case could be calibrated
  kInvalid,         // the case's own guards say that its numbers cannot be trusted
  kOtherWorkload,   // the arm's case of this name runs something else than the first arm's
};

constexpr EnumWords<15> enum_words(FaultKind) {
  return {"fault",
          {{"skipped", "error", "crashed", "exited", "timeout", "bad_value", "no_output",
            "protocol", "absent", "leftover", "launch", "too_many_threads", "unmeasured", "invalid",
            "other_workload"}}};
}

struct Fault {
  std::size_t case_index = 0;
  int arm = 0;
  int round = -1;  // -1: while listing or calibrating
  FaultKind kind = FaultKind::kCrashed;
  std::string detail;
  std::string metric{};  // the one metric it concerns; empty: the whole case
};

struct Schedule {
  std::string seed;        // 16 hex digits; replays coins and orders
  bool replayed = false;   // the seed was given, not drawn
  std::vector<int> looks;  // rounds at which decisions are taken
  std::vector<double> look_alpha;
  double round_s = 0;   // predicted wall time of a full round after calibration
  double budget_s = 0;  // wall seconds that measuring was given; 0: rounds were counted
  std::string plan{};   // how a round was made to fit the budget; empty: as the policy says
  // Other candidates of the same change that the ledger had before this one. Each takes its share
  // of the chance to pass by luck (stats::sequential_level).
  int earlier_candidates = 0;
};

// The second stage of a gate on executables with layouts: fresh rounds of the cases that the first
// stage, on one link, would name or left open.
struct LayoutStage {
  std::vector<std::size_t> cases;  // indices into the session's cases
  std::vector<ArmInfo> arms;
  bool complete = false;
  std::string incomplete_reason;
  double wall_s = 0;
  double timed_s = 0;
  Schedule schedule;
  std::vector<RoundInfo> rounds;  // case_index as in the session
  std::vector<Fault> faults;
};

enum class HotCodeStatus { kUnchanged, kChanged, kUnknown };

constexpr EnumWords<3> enum_words(HotCodeStatus) {
  return {"hot code", {{"unchanged", "changed", "unknown"}}};
}

// Whether both arms of a case run the same code, found by sampling untimed runs.
struct HotCode {
  std::string case_name;
  HotCodeStatus status = HotCodeStatus::kUnknown;
  double same_share = 0;             // of samples in functions that are the same, in the worse arm
  std::string reason;                // of unknown: why
  std::vector<std::string> changed;  // up to 5 functions, most samples first
};

struct Session {
  std::string id;         // random, or of imported files from their digests; 32 hex digits
  std::string tool;       // "perfgate 0.1.0"
  std::string started;    // ISO 8601, UTC
  std::string suite;      // name, empty when not given
  bool complete = false;  // false: interrupted, partial
  std::string incomplete_reason;
  // What the evidence is good for: "paired" (measured here, interleaved),
  // "paired_serial" (likewise, one process at a time for want of device memory), "imported" (values
  // of a foreign file), "aggregate" (imported, and some gated metric has only what a tool
  // averaged).
  std::string grade = "paired";
  double wall_s = 0;
  double timed_s = 0;  // timed seconds of counted slices of all arms, warm-up excluded
  Policy policy;
  Schedule schedule;
  Machine machine;
  std::vector<NamedValue> environment;  // where it ran, as far as `machine` does not say
  // Fields of the fingerprint that must be stated and are not: "environment.driver_version" and
  // "missing", or "pending" where the record itself says that the value is still to come. What such
  // a record says is never a claim.
  std::vector<NamedValue> unstated;
  int nice = 0;  // scheduling priority that the arms really ran at
  std::vector<Metric> metrics;
  std::vector<std::string> unknown_metrics;  // of `metrics`: nobody says what they mean
  // Components of the reference workload timed beside the suite in every round; empty: not timed.
  std::vector<std::string> reference_names;
  std::vector<ArmInfo> arms;
  std::vector<Origin> origins;  // empty: measured by perfgate
  std::vector<CaseInfo> cases;
  std::vector<RoundInfo> rounds;
  std::vector<Fault> faults;
  std::vector<std::string> warnings;
  std::vector<LayoutStage> confirmation;  // none or one
  std::vector<HotCode> hot_code;          // of the cases that were asked for it
  TrustRecord trust{};                    // who may have written the arms
  FleetJob fleet{};                       // which part of a fleet it is
  std::vector<MergedPart> parts{};        // the sessions that it was merged from; empty: none
};

}  // namespace perfgate::inline evidence
