// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/guard.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "perfgate/bench/worker/checked.h"

namespace perfgate::bench {
namespace {

// The oracle may take seconds, so it runs twice per content: at the first checked sample and at one
// more rotation. What it has once found right is recognised by fingerprint from then on.
constexpr int kOracleRuns = 2;
constexpr int kCheckedOf = 16;  // one sample in so many, besides the one that is sure
constexpr int kHeldWindows = 16;
constexpr std::size_t kHeldBytes = std::size_t{64} << 10;

// Outputs below this can be equal by chance: an index, a flag.
constexpr std::size_t kTellingBytes = 64;

Finding Wrong(std::string text) { return {Finding::Kind::kWrong, std::move(text)}; }
Finding NotValid(std::string text) { return {Finding::Kind::kInvalid, std::move(text)}; }

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

bool SharesOutputs(const Buffers& buffers) {
  std::set<const void*> inputs;
  std::set<const void*> outputs;
  for (const Rotation& rotation : buffers.rotations) {
    for (const Region& input : rotation.inputs) inputs.insert(input.data);
    for (const Region& output : rotation.outputs) {
      if (output.bytes > 0 && !outputs.insert(output.data).second) return true;
    }
  }
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const void* output) { return inputs.contains(output); });
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

// One print per rotation, of its inputs or its outputs.
std::vector<std::uint64_t> Guard::Prints(const std::vector<int>& rotations,
                                         std::vector<Region> Rotation::*regions) {
  std::vector<Region> all;
  for (const int r : rotations) {
    const auto& own = buffers_.rotations[static_cast<std::size_t>(r)].*regions;
    all.insert(all.end(), own.begin(), own.end());
  }
  const std::vector<std::uint64_t> each = memory_->Fingerprints(all, print_seed_);
  std::vector<std::uint64_t> sums;
  std::size_t next = 0;
  for (const int r : rotations) {
    const std::size_t count = (buffers_.rotations[static_cast<std::size_t>(r)].*regions).size();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += Mix(each[next++] + i);
    sums.push_back(sum);
  }
  return sums;
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

void Guard::Refill(const std::vector<int>& rotations) {
  std::vector<Region> inputs;
  for (const int r : rotations) {
    const auto& own = buffers_.rotations[static_cast<std::size_t>(r)].inputs;
    inputs.insert(inputs.end(), own.begin(), own.end());
    known_[static_cast<std::size_t>(r)].valid = false;
  }
  memory_->Randomize(inputs, Next());
  for (const int r : rotations) {
    if (buffers_.fill) buffers_.fill(r, Next());
  }
}

Finding Guard::BeginSlice(const Buffers& buffers, std::int64_t samples) {
  const bool same = SameBuffers(buffers_, buffers);
  if (!same && SharesOutputs(buffers)) {
    return Wrong(
        "an output lies in the same memory as another buffer of the case; give each set of buffers "
        "outputs of its own, because they are overwritten before every call");
  }
  buffers_ = buffers;
  std::vector<int> all(buffers_.rotations.size());
  std::iota(all.begin(), all.end(), 0);
  if (!same) {
    known_.assign(buffers_.rotations.size(), {});
    slices_ = 0;
    // The second to the fourth slice of the process: a round of the gate has five per case.
    refill_at_ = 1 + static_cast<std::int64_t>(Next() % 3);
  }
  if (slices_ == 0 || (defences_.refill && slices_ == refill_at_)) {
    Refill(all);
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
  if (defences_.canaries) memory_->Randomize(margins, Next());
  memory_->Wait();
  if (defences_.canaries) margin_prints_ = memory_->Fingerprints(margins, print_seed_);
  input_prints_ = Prints(all, &Rotation::inputs);
  for (std::size_t r = 0; r < known_.size(); ++r) {
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
  if (buffers_.fresh_every_sample.value_or(false)) {
    Refill(sample_);
    memory_->Wait();
    const std::vector<std::uint64_t> prints = Prints(sample_, &Rotation::inputs);
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      input_prints_[static_cast<std::size_t>(sample_[i])] = prints[i];
    }
    oracle_left_ = std::max(oracle_left_, 1);
  }
  if (!defences_.poison) return;
  std::vector<Region> outputs = OutputsOfSample();
  for (Region& output : outputs) output.content = Content::kBytes;
  memory_->Randomize(outputs, Next());
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

// What runs during a hold writes all over the outputs, so a few secret windows of them are enough.
void Guard::RememberHeld() {
  held_windows_.clear();
  for (const Region& output : OutputsOfSample()) {
    const int windows = sample_.size() > 1 ? 1 : kHeldWindows;
    for (int w = 0; w < windows; ++w) {
      const std::size_t bytes = std::min(output.bytes, kHeldBytes);
      const std::size_t places = (output.bytes - bytes) / 8 + 1;
      auto* begin = static_cast<unsigned char*>(output.data) + 8 * (Next() % places);
      held_windows_.push_back({begin, bytes, Content::kKeep, 0});
    }
  }
  held_prints_ = memory_->Fingerprints(held_windows_, print_seed_);
}

Finding Guard::CheckHeld() {
  if (memory_->Fingerprints(held_windows_, print_seed_) == held_prints_) return {};
  return NotValid(
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
      return NotValid("a timed call gave a wrong result although an earlier call was right (" +
                      Named("output", rotation) + "): " + wrong);
    }
    right_once_ = true;
  } else if (differs) {
    return NotValid(Named("output", rotation) +
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
      return NotValid("two rotations with different inputs have the same output");
    }
    if (first == nullptr) first = &known_[r];
  }
  return {};
}

Finding Guard::AfterSample(const std::function<void()>& settle) {
  if (!checked_) return {};
  const std::vector<std::uint64_t> at_return = Prints(sample_, &Rotation::outputs);
  if (defences_.settled) {
    settle();
    const std::vector<std::uint64_t> at_rest = Prints(sample_, &Rotation::outputs);
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      if (at_rest[i] != at_return[i]) {
        return NotValid(Named("output", sample_[i]) +
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
  if (buffers_.check && defences_.checks) NoteChecked();
  memory_->Wait();
  if (defences_.canaries) {
    if (memory_->Fingerprints(Margins(), print_seed_) != margin_prints_) {
      return NotValid("a canary beside a buffer was overwritten: the case writes out of bounds");
    }
  }
  if (!defences_.inputs) return {};
  std::vector<int> all(buffers_.rotations.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::uint64_t> now = Prints(all, &Rotation::inputs);
  for (std::size_t r = 0; r < now.size(); ++r) {
    if (now[r] != input_prints_[r]) {
      return NotValid(Named("input", static_cast<int>(r)) + " was changed by the timed calls");
    }
  }
  return {};
}

}  // namespace perfgate::bench
