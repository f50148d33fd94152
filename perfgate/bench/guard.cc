// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/guard.h"

#include <algorithm>

namespace perfgate::bench {
namespace {

// The oracle may take seconds, so it runs twice per content: at the first checked sample and at one
// more rotation. What it has once found right is recognised by fingerprint from then on.
constexpr int kOracleRuns = 2;
constexpr int kCheckedOf = 4;  // one sample in so many, besides the one that is sure

// Outputs below this can be equal by chance: an index, a flag.
constexpr std::size_t kTellingBytes = 64;

Finding Wrong(std::string text) { return {Finding::Kind::kWrong, std::move(text)}; }
Finding Invalid(std::string text) { return {Finding::Kind::kInvalid, std::move(text)}; }

std::string Named(const char* what, int rotation) {
  return std::string(what) + " of rotation " + std::to_string(rotation);
}

bool SameRegions(const std::vector<Region>& a, const std::vector<Region>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Region& x, const Region& y) {
    return x.data == y.data && x.bytes == y.bytes && x.margin == y.margin;
  });
}

bool SameBuffers(const Buffers& a, const Buffers& b) {
  return std::equal(a.rotations.begin(), a.rotations.end(), b.rotations.begin(), b.rotations.end(),
                    [](const Rotation& x, const Rotation& y) {
                      return SameRegions(x.inputs, y.inputs) && SameRegions(x.outputs, y.outputs);
                    });
}

}  // namespace

Guard::Guard(Memory& memory, std::uint64_t seed, const Defences& defences)
    : memory_(&memory), defences_(defences), state_(seed) {
  print_seed_ = Next();
}

std::uint64_t Guard::Next() {
  state_ += 0x9E3779B97F4A7C15U;
  return Mix(state_);
}

std::uint64_t Guard::Print(const std::vector<Region>& regions) {
  std::uint64_t sum = 0;
  const std::vector<std::uint64_t> prints = memory_->Fingerprints(regions, print_seed_);
  for (std::size_t i = 0; i < prints.size(); ++i) sum += Mix(prints[i] + i);
  return sum;
}

std::vector<Region> Guard::Margins() const {
  std::vector<Region> margins;
  const auto add = [&](const std::vector<Region>& regions) {
    for (const Region& region : regions) {
      if (region.margin == 0) continue;
      auto* begin = static_cast<unsigned char*>(region.data);
      margins.push_back({begin - region.margin, region.margin, Content::kBytes, 0});
      margins.push_back({begin + region.bytes, region.margin, Content::kBytes, 0});
    }
  };
  for (const Rotation& rotation : buffers_.rotations) {
    add(rotation.inputs);
    add(rotation.outputs);
  }
  return margins;
}

void Guard::Refill(int rotation) {
  const Rotation& set = buffers_.rotations[static_cast<std::size_t>(rotation)];
  for (const Region& input : set.inputs) memory_->Randomize(input, Next());
  if (buffers_.fill) buffers_.fill(rotation, Next());
  known_[static_cast<std::size_t>(rotation)].valid = false;
}

Finding Guard::BeginSlice(const Buffers& buffers, std::int64_t samples) {
  const bool same = SameBuffers(buffers_, buffers);
  buffers_ = buffers;
  if (!same) {
    known_.assign(buffers_.rotations.size(), {});
    slices_ = 0;
    // The second to the fourth slice of the process: a round of the gate has five per case.
    refill_at_ = 1 + static_cast<std::int64_t>(Next() % 3);
  }
  if (slices_ == 0 || (defences_.refill && slices_ == refill_at_)) {
    for (std::size_t r = 0; r < buffers_.rotations.size(); ++r) Refill(static_cast<int>(r));
    oracle_left_ = kOracleRuns;
  }
  sample_index_ = 0;
  samples_ = samples;
  sure_sample_ = slices_ == 0
                     ? 0
                     : static_cast<std::int64_t>(
                           Next() % static_cast<std::uint64_t>(std::max<std::int64_t>(1, samples)));
  ++slices_;

  const std::vector<Region> margins = Margins();
  if (defences_.canaries) {
    for (const Region& margin : margins) memory_->Randomize(margin, Next());
  }
  memory_->Wait();
  if (defences_.canaries) margin_prints_ = memory_->Fingerprints(margins, print_seed_);
  input_prints_.clear();
  for (std::size_t r = 0; r < buffers_.rotations.size(); ++r) {
    input_prints_.push_back(Print(buffers_.rotations[r].inputs));
    // Other cases share the memory: what is known of other inputs says nothing about these.
    if (known_[r].inputs != input_prints_[r]) known_[r].valid = false;
  }
  return {};
}

void Guard::BeforeSample(int first, int calls) {
  const int count = static_cast<int>(buffers_.rotations.size());
  sample_.clear();
  for (int i = 0; i < std::min(calls, count); ++i) sample_.push_back((first + i) % count);
  checked_ = sample_index_ == sure_sample_ || Next() % kCheckedOf == 0;
  // The first call of a process is a rehearsal before the clock matters; one timed sample is sure
  // in that slice too.
  if (slices_ == 1 && sample_index_ == 0) {
    sure_sample_ = 1 + static_cast<std::int64_t>(Next() % static_cast<std::uint64_t>(
                                                              std::max<std::int64_t>(1, samples_)));
  }
  ++sample_index_;
  for (const int rotation : sample_) {
    const auto r = static_cast<std::size_t>(rotation);
    if (buffers_.fresh_every_sample) {
      Refill(rotation);
      memory_->Wait();
      input_prints_[r] = Print(buffers_.rotations[r].inputs);
      oracle_left_ = std::max(oracle_left_, 1);
    }
    if (!defences_.poison) continue;
    for (Region output : buffers_.rotations[r].outputs) {
      output.content = Content::kBytes;
      memory_->Randomize(output, Next());
    }
  }
}

std::vector<Region> Guard::OutputsOfSample() const {
  std::vector<Region> outputs;
  for (const int rotation : sample_) {
    const auto& regions = buffers_.rotations[static_cast<std::size_t>(rotation)].outputs;
    outputs.insert(outputs.end(), regions.begin(), regions.end());
  }
  return outputs;
}

bool Guard::WantsHeldCheck() const { return checked_ && defences_.gate && defences_.poison; }

void Guard::RememberHeld() { held_prints_ = memory_->Fingerprints(OutputsOfSample(), print_seed_); }

Finding Guard::CheckHeld() {
  if (memory_->Fingerprints(OutputsOfSample(), print_seed_) == held_prints_) return {};
  return Invalid(
      "outputs were written while the timed stream was held: the work runs on another stream or "
      "thread, where the clock does not see it");
}

Finding Guard::Judge(int rotation, std::uint64_t outputs) {
  const auto r = static_cast<std::size_t>(rotation);
  Known& known = known_[r];
  if (known.valid && known.outputs == outputs) return {};
  const bool differs = known.valid && buffers_.deterministic;
  const bool ask = buffers_.check && (differs || oracle_left_ > 0 || !buffers_.deterministic);
  if (ask) {
    --oracle_left_;
    ++oracle_runs_;
    const std::string wrong = buffers_.check(rotation);
    if (!wrong.empty()) {
      if (!right_once_) return Wrong("wrong result: " + wrong);
      return Invalid("a timed call gave a wrong result although an earlier call was right (" +
                     Named("output", rotation) + "): " + wrong);
    }
    right_once_ = true;
  } else if (differs) {
    return Invalid(Named("output", rotation) +
                   " differs from that of an earlier call on the same inputs: something was not "
                   "written, or the result depends on more than the inputs");
  }
  known = {true, input_prints_[r], outputs};
  return {};
}

Finding Guard::JudgeAlike() const {
  if (buffers_.check) return {};
  const Known* first = nullptr;
  for (std::size_t r = 0; r < known_.size(); ++r) {
    std::size_t bytes = 0;
    for (const Region& region : buffers_.rotations[r].outputs) bytes += region.bytes;
    if (!known_[r].valid || bytes < kTellingBytes) continue;
    if (first != nullptr && first->inputs != known_[r].inputs &&
        first->outputs == known_[r].outputs) {
      return Invalid("two rotations with different inputs have the same output");
    }
    if (first == nullptr) first = &known_[r];
  }
  return {};
}

Finding Guard::AfterSample(const std::function<void()>& settle) {
  if (!checked_) return {};
  std::vector<std::uint64_t> at_return;
  for (const int r : sample_) {
    at_return.push_back(Print(buffers_.rotations[static_cast<std::size_t>(r)].outputs));
  }
  if (defences_.settled) {
    settle();
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      if (Print(buffers_.rotations[static_cast<std::size_t>(sample_[i])].outputs) != at_return[i]) {
        return Invalid(Named("output", sample_[i]) +
                       " changed after the call had returned: work went on after the clock "
                       "stopped");
      }
    }
  }
  if (!defences_.checks) return {};
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    if (Finding finding = Judge(sample_[i], at_return[i])) return finding;
  }
  return JudgeAlike();
}

Finding Guard::EndSlice() {
  memory_->Wait();
  if (defences_.canaries) {
    const std::vector<std::uint64_t> now = memory_->Fingerprints(Margins(), print_seed_);
    if (now != margin_prints_) {
      return Invalid("a canary beside a buffer was overwritten: the case writes out of bounds");
    }
  }
  for (std::size_t r = 0; defences_.inputs && r < buffers_.rotations.size(); ++r) {
    if (Print(buffers_.rotations[r].inputs) != input_prints_[r]) {
      return Invalid(Named("input", static_cast<int>(r)) + " was changed by the timed calls");
    }
  }
  return {};
}

}  // namespace perfgate::bench
