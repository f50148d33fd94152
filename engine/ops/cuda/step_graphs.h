// SPDX-License-Identifier: Apache-2.0
// step_graphs.h: steps captured as CUDA graphs, one per key.
//
// The first step of a key runs as it is, so that modules are loaded and products planned; the
// second is captured and launched; later ones are launched alone. There is room for so many keys:
// the one that was not used for longest goes. A graph holds addresses: whoever frees memory that
// steps use clears the graphs first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/ops/ops.h"

struct CUstream_st;
struct CUgraphExec_st;

namespace engine::cuda {

class StepGraphs {
 public:
  explicit StepGraphs(CUstream_st* stream) : stream_(stream) {}

  // False: the step has been launched, and its ops are to be skipped. `key` is what decides the
  // step's launches.
  bool Begin(const StepKey& key);
  void End();
  // Gives up a step in which an op failed; nothing where there is none.
  void Abort();
  // Forgets all keys but that of a step that is running for the first time.
  void Clear();

  bool capturing() const { return step_ == Step::kCapture; }
  std::size_t graphs() const;
  std::uint64_t replays() const { return replays_; }
  std::uint64_t eager() const { return eager_; }

 private:
  enum class Step : std::uint8_t { kNone, kEager, kCapture, kReplay };
  struct Destroy {
    void operator()(CUgraphExec_st* graph) const;
  };
  struct Graph {
    std::unique_ptr<CUgraphExec_st, Destroy> executable;  // null: seen once
    std::uint64_t last_use = 0;
  };
  using Graphs = std::map<StepKey, Graph>;

  void MakeRoom();

  CUstream_st* stream_;
  Graphs graphs_;
  Graphs::iterator current_ = graphs_.end();
  bool refused_ = false;  // a graph could not be made: from then on steps run as they are
  Step step_ = Step::kNone;
  std::uint64_t replays_ = 0, eager_ = 0, uses_ = 0;
};

}  // namespace engine::cuda
