// SPDX-License-Identifier: Apache-2.0
// driver.h: one launch of an arm: asked for slices, then quit.
//
// Two drivers: the worker protocol for executables that link perfgate::main or that a preloaded
// library makes workers, and one process per slice for any other Google Benchmark executable. The
// scheduler knows only this interface.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/stats/estimate/call_histogram.h"

namespace perfgate::measure {

struct Command;  // command.h
class Sandbox;   // isolation/sandbox.h

struct SliceResult {
  std::optional<FaultKind> fault;  // none: the numbers below hold
  std::string detail;              // of the fault, one line, with the tail of what the arm printed
  std::int64_t iterations = 0;
  double real_s = 0;  // per iteration; manual time where the case declares it
  double cpu_s = 0;
  double total_s = 0;  // timed seconds
  double wall_s = 0;   // of the whole request, seen by the gate's clock
  // Of the slice alone, as a worker says; 0: it does not. Plans are made with it, never verdicts:
  // on a busy machine the gate waits for a core, milliseconds that are no set-up of the benchmark.
  double own_wall_s = 0;
  std::vector<std::pair<std::string, double>> counters;
  // Single calls that a recorder of the benchmark timed, by its name (bench/recorder.h).
  std::vector<std::pair<std::string, stats::CallHistogram>> calls{};
  std::int64_t ran = 0;  // iterations really made; 0: as many as `iterations`
  double waited_s = 0;   // of wall_s: after the answer: the gate waited for a core, or cleaned up
  double search_s = 0;   // of earlier runs by which the library found its number of iterations
  bool checked = false;  // the case held its results against others
  bool has_wall = true;  // false: wall_s is of a process that ran other cases too
};

// Bytes of an arm's own words that a message shows.
inline constexpr std::size_t kShownBytes = 400;

// How long processes that an arm leaves behind may take to end by themselves.
inline constexpr double kLeftoverGraceS = 0.1;

// A result whose time per iteration or total time cannot be a time becomes a kBadValue fault.
void RefuseBadTimes(SliceResult& result);

// Less than any processor needs for an iteration, s.
inline constexpr double kShortestIterationS = 1e-11;

// A result that contradicts itself, or the gate's clock, becomes a kInvalid fault: a time per
// iteration that does not make up the total, one of at most kShortestIterationS, or a total above
// the wall time. Manual time is not held against the wall: a benchmark may count by another clock,
// such as that of a simulated device.
void RefuseContradictions(const CaseInfo& info, SliceResult& result);

// What one launch is given. Everything that could favour an arm is here and swaps with the coin.
struct Launch {
  std::string exec_path;  // of equal length for all arms
  std::vector<int> cpus;  // pin to these; empty: do not pin
  int nice = 0;           // set before exec where negative values are permitted, else ignored
  bool inspect = false;   // a worker that names its kernels instead of measuring (inspect.h)
  std::string preload{};  // library that makes it a worker (preload.h); empty: none is needed
  std::vector<std::string> arguments{};  // after those by which perfgate drives it
  std::vector<std::pair<std::string, std::string>> variables{};  // set in its environment
  std::string folder{};  // where a worker may leave data for later ones of its run; empty: nowhere
  std::shared_ptr<const Command> command{};  // the arm is this command line; none: an executable
  std::vector<std::string> count{};          // what is counted beside the time (counters/)
  std::uint64_t memory_bytes = 0;            // that it may use; 0: no limit
  std::shared_ptr<const Sandbox> sandbox{};  // that it is started in; none: it is not isolated
};

// Case ids are indices into the arm's own Listing::cases.
struct SliceRequest {
  std::size_t case_id = 0;
  std::int64_t iterations = 0;  // 0: run by time, `seconds` long
  double seconds = 0.01;
  double limit_s = 10;  // killed beyond this
};

struct Departure {
  long voluntary_switches = 0;
  long involuntary_switches = 0;
  int leftover_processes = 0;  // descendants that outlived the arm; they have been killed
  double end_cpu_s = 0;        // that it used after its last slice
  std::string detail;
};

class Driver {
 public:
  virtual ~Driver() = default;  // kills the whole process group if it still runs

  // Never throws for what the arm does wrong: that is the result's fault. Without a fault its times
  // are finite and those per iteration positive. After a fault other than
  // kSkipped, kError, kInvalid and kBadValue the driver is dead: alive() is false.
  virtual SliceResult slice(const SliceRequest& request) = 0;

  // One process run that gives one slice of every named case, in the library's order (process
  // drivers only; the worker driver calls slice() for each).
  virtual std::vector<SliceResult> suite_slice(std::span<const SliceRequest> requests) = 0;

  virtual bool alive() const = 0;

  // Cores for what follows: threaded cases get the whole set, others its first core. A worker is
  // moved with sched_setaffinity (its new threads inherit), a process driver pins the next process.
  virtual void pin(std::span<const int> cpus) = 0;

  // CPU seconds that the arm's processes have used so far; the scheduler reads it around a peer's
  // slice to see that an idle arm is idle. Negative: not known.
  virtual double cpu_seconds() const = 0;
  // The arm's process, where one lives between slices; else -1.
  virtual int pid() const { return -1; }
  virtual void pause() = 0;   // stops all its processes
  virtual void resume() = 0;  // slice() does so itself, after its clock has started

  // Processes that the arm's slices left running beside its main process, 0 for none.
  virtual int leftover_processes() const = 0;

  // Files that the arm's process has mapped now (identity/mapped_files.h); none where no process
  // lives between slices.
  virtual std::vector<std::string> mapped_files() const { return {}; }

  // Ends the arm in an orderly way, kills what is left, and says what there was.
  virtual Departure quit() = 0;
};

}  // namespace perfgate::measure
