// SPDX-License-Identifier: Apache-2.0
// guard.h: watches over the buffers of a case, so that a fast wrong answer is no fast answer.
//
// What it does, in each slice and without the case's knowledge of when:
//
//   inputs       are filled with fresh random content when the process starts and again before a
//                secret later slice; their fingerprint must be the same at the end of the slice
//   outputs      are overwritten with fresh random bytes before every timed sample; a secret subset
//                of timed samples is held against the oracle (`check`), or against the result of
//                the same inputs, which depends on the inputs alone where the case is deterministic
//   after return the fingerprint of the outputs is taken when the call returns and again when
//                everything has come to rest; it must not change
//   canaries     lie in the margins of every buffer and must be as they were
//
// A result that is wrong from the first call on is the case's failure (kWrong); everything else
// means that the timed calls did not do what they seemed to do (kInvalid). The same code serves the
// host and a GPU: see Memory. GpuCase and HostCase call it; a benchmark only describes its buffers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/bench/guard_memory.h"

namespace perfgate::bench {

// The buffers of one call. A case that rotates through several sets gives one per set. Inputs may
// be shared between sets; outputs may not, and no output is an input: a call that works in place
// gets its input from a copy that it makes.
struct Rotation {
  std::vector<Region> inputs;
  std::vector<Region> outputs;
};

struct Buffers {
  std::vector<Rotation> rotations;
  // The oracle: empty where the outputs of `rotation` are right for its inputs as they are now,
  // else what is wrong. Without it, outputs are only held against each other.
  std::function<std::string(int rotation)> check{};
  // New inputs for contents that Region::content cannot describe.
  std::function<void(int rotation, std::uint64_t seed)> fill{};
  // Same inputs, same bits.
  bool deterministic = true;
  // Fresh inputs before every timed sample, against results kept by content. Costs a write of the
  // inputs per sample, and a run of the oracle per checked one. Unset: yes for a HostCase; no for a
  // GpuCase, whose inputs may be gigabytes and whose oracle may take seconds.
  std::optional<bool> fresh_every_sample{};
};

// For tests, which show what each defence is for by leaving it away.
struct Defences {
  bool poison = true;
  bool checks = true;
  bool refill = true;
  bool settled = true;
  bool canaries = true;
  bool inputs = true;
  bool gate = true;  // GPU: outputs are untouched while the stream is held
  bool wall = true;
  bool threads = true;
  bool floor = true;
  bool persisting = true;
  bool kernels = true;
};

struct Finding {
  enum class Kind { kNone, kWrong, kInvalid };
  Kind kind = Kind::kNone;
  std::string text;
  explicit operator bool() const { return kind != Kind::kNone; }
};

class Guard {
 public:
  // `memory` must outlive the guard. `seed`: secret; Entropy() outside of tests.
  Guard(Memory& memory, std::uint64_t seed, const Defences& defences = {});

  // At the start of every slice. Other cases may have used the same memory since, so canaries and
  // fingerprints are taken anew. The functions in `buffers` are used until the next BeginSlice.
  Finding BeginSlice(const Buffers& buffers, std::int64_t samples);

  // Before each sample, which makes `calls` calls on rotations first, first + 1, ... (modulo their
  // number). Queues work on the memory.
  void BeforeSample(int first, int calls);

  // The outputs of the sample about to run, before anything can have written to them.
  bool WantsHeldCheck() const;  // this sample is one of the secret subset
  void RememberHeld();          // after the poison is in place
  Finding CheckHeld();          // later, while the sample still cannot have begun

  // After the sample's time was taken. `settle` returns once nothing can run any more.
  Finding AfterSample(const std::function<void()>& settle);

  // After the last sample of the slice.
  Finding EndSlice();

  std::int64_t slices() const { return slices_; }
  std::int64_t oracle_runs() const { return oracle_runs_; }

 private:
  struct Known {
    bool valid = false;
    std::uint64_t inputs = 0;
    std::uint64_t outputs = 0;
  };
  std::uint64_t Next();
  void Refill(const std::vector<int>& rotations);
  std::vector<std::uint64_t> Prints(const std::vector<int>& rotations,
                                    std::vector<Region> Rotation::*regions);
  std::vector<Region> Margins() const;
  std::vector<Region> OutputsOfSample() const;
  Finding Judge(int rotation, std::uint64_t outputs);
  Finding JudgeAlike() const;

  Memory* memory_;
  Defences defences_;
  std::uint64_t state_;       // of the secret stream
  std::uint64_t print_seed_;  // of all fingerprints
  Buffers buffers_;
  std::vector<Known> known_;
  std::vector<std::uint64_t> input_prints_;
  std::vector<std::uint64_t> margin_prints_;
  std::vector<Region> held_windows_;
  std::vector<std::uint64_t> held_prints_;
  std::vector<int> sample_;  // distinct rotations of the current sample
  bool checked_ = false;     // the current sample is one of the subset
  bool right_once_ = false;  // the oracle has once been satisfied in this process
  int oracle_left_ = 0;      // oracle runs until the next refill
  std::int64_t slices_ = 0;
  std::int64_t refill_at_ = 0;
  std::int64_t samples_ = 0;
  std::int64_t sample_index_ = 0;
  std::int64_t sure_sample_ = 0;  // checked whatever the coin says
  std::int64_t oracle_runs_ = 0;
};

}  // namespace perfgate::bench
