// SPDX-License-Identifier: Apache-2.0
// step_pipeline.h: steps of a decoder, one of which may be queued before the last one's tokens are
// read, so that the device need not wait for the host.
//
//   pipeline.Start(rows, how, measure);
//   while (...) {
//     pipeline.QueueNext();                 // where every sequence goes on, whatever it draws
//     for (const Drawn& one : pipeline.Take()) ...
//   }
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/decode/decoder.h"
#include "engine/ops/ops.h"

namespace engine {

// Invariant: `in_flight_` steps (0, 1 or 2) were queued whose tokens nobody has taken. The oldest
// fed `rows_`. The other one, which only QueueNext() queues, feeds the same sequences with what the
// oldest draws for them, so it can be queued before that is known; it was in vain where a sequence
// turns out to have ended. A step draws into slot 0 or 1, whichever the step before did not use,
// and into 0 after Feed() or Start(), which forget what is in flight; `slot_` is that of the step
// that is queued next. `taken_` are the rows of the step taken last: fed again, they give its
// logits bit by bit, also where a step in flight has written its own over them, and what that one
// wrote to the cache is written again before anything reads it.
class StepPipeline {
 public:
  enum class Queueing : std::uint8_t { kOneByOne, kAhead };

  // What is referred to outlives it.
  StepPipeline(Decoder& decoder, Ops& ops, Queueing queueing);

  // Feeds rows and draws nothing. The decoder then has the logits of the last `logit_rows`.
  void Feed(std::span<const RowInput> rows, std::int64_t logit_rows);

  // Feeds rows and draws a token from the logits of the last how.size() of them, at least one;
  // `measure`: their uncertainty too.
  void Start(std::span<const RowInput> rows, std::span<const Sampling> how, bool measure);

  // Queues the step after the one in flight, which drew a token for each of its rows. Does nothing
  // where the device runs one step at a time.
  void QueueNext();

  bool in_flight() const { return in_flight_ > 0; }

  // What the oldest step in flight drew; valid until the second step after it is queued.
  std::span<const Drawn> Take();

  // The logits of the step taken last, in device memory. Drops what is in flight.
  Rows TakenLogits();

 private:
  void Run(const StepKey& key);

  Decoder& decoder_;
  Ops& ops_;
  const Queueing queueing_;
  std::vector<RowInput> rows_, taken_;
  StepKey key_;  // of the step queued last
  int in_flight_ = 0;
  int slot_ = 0;
};

}  // namespace engine
