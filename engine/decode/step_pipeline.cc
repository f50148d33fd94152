// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/step_pipeline.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace engine {
namespace {

std::int64_t LengthOf(std::span<const RowInput> rows) {
  std::int32_t last = 0;
  for (const RowInput& row : rows) {
    last = std::max(last, row.position);
  }
  return last + 1;
}

}  // namespace

StepPipeline::StepPipeline(Decoder& decoder, Ops& ops, Queueing queueing)
    : decoder_(decoder), ops_(ops), queueing_(queueing) {
  rows_.reserve(static_cast<std::size_t>(decoder.sizes().rows));
  taken_.reserve(rows_.capacity());
}

void StepPipeline::Run(const StepKey& key) {
  const int before = std::exchange(in_flight_, 0);  // nothing follows a step that throws
  decoder_.Run(key);
  key_ = key;
  if (key.draw != Draw::kNone) {
    ops_.Mark(slot_);
    slot_ = 1 - slot_;
    in_flight_ = before + 1;
  }
}

void StepPipeline::Feed(std::span<const RowInput> rows, std::int64_t logit_rows) {
  slot_ = in_flight_ = 0;
  decoder_.Place(rows);
  Run({static_cast<std::int64_t>(rows.size()), logit_rows, LengthOf(rows)});
}

void StepPipeline::Start(std::span<const RowInput> rows, std::span<const Sampling> how,
                         bool measure) {
  const bool greedy =
      std::all_of(how.begin(), how.end(), [](const Sampling& s) { return s.temperature == 0; });
  slot_ = in_flight_ = 0;
  decoder_.Place(rows);
  if (!greedy) {
    decoder_.Place(how);
  }
  rows_.assign(rows.begin(), rows.end());
  Run({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(how.size()),
       LengthOf(rows), greedy ? Draw::kGreedy : Draw::kSampled, measure});
}

void StepPipeline::QueueNext() {
  if (queueing_ == Queueing::kOneByOne) {
    return;
  }
  if (in_flight_ != 1 || key_.logit_rows != key_.rows) {
    throw std::logic_error("a step is queued that follows from none");
  }
  StepKey key = key_;
  ++key.length;
  Run(key);
}

std::span<const Drawn> StepPipeline::Take() {
  if (in_flight_ == 0) {
    throw std::logic_error("tokens are taken that no step drew");
  }
  const int slot = in_flight_ == 1 ? 1 - slot_ : slot_;
  ops_.Await(slot);
  const std::span<const Drawn> drawn = decoder_.drawn(slot);
  taken_ = rows_;
  if (--in_flight_ > 0) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].token = drawn[i].id;
      ++rows_[i].position;
    }
  }
  return drawn;
}

Rows StepPipeline::TakenLogits() {
  if (in_flight_ > 0) {
    Feed(taken_, key_.logit_rows);
  }
  return decoder_.logits();
}

}  // namespace engine
