// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/sampling/collector.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace perfgate::code {

SampleCollector::SampleCollector(int pid, ProgramSamples& samples) : pid_(pid), samples_(samples) {
  for (std::size_t i = 0; i < samples_.stack_places.size(); ++i) {
    known_[samples_.stack_places[i]] = static_cast<int>(i);
  }
}

void SampleCollector::Take(const RawSample& raw) {
  const std::uint64_t end = raw.stack_at + raw.stack.size();
  const bool ended = !raw.stack.empty() && raw.stack.size() < kStackBytes;
  if (!IsCode(mappings_, raw.address) || (ended && !mappings_.ends.contains(end))) Look();
  ++samples_.counts[PlaceOf(mappings_, raw.address)];
  SampledStack stack;
  // The kernel also stops at a page that is not in memory, in the middle of a stack.
  stack.whole = ended && mappings_.ends.contains(end);
  AddWord(raw.link, stack);
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= raw.stack.size();
       i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, raw.stack.data() + i, sizeof word);
    AddWord(word, stack);
  }
  samples_.stacks.push_back(std::move(stack));
}

void SampleCollector::Finish() {
  for (const auto& [begin, range] : mappings_.ranges) {
    if (!range.path.empty() && range.path.front() == '/') samples_.files.insert(range.path);
  }
}

void SampleCollector::AddWord(std::uint64_t word, SampledStack& stack) {
#if defined(__aarch64__)
  word &= 0x0000ffffffffffff;  // above are the bits that sign a return address
#endif
  if (!IsCode(mappings_, word)) return;
  CodePlace place = PlaceOf(mappings_, word);
  const auto [entry, is_new] =
      known_.try_emplace(place, static_cast<int>(samples_.stack_places.size()));
  if (is_new) samples_.stack_places.push_back(std::move(place));
  stack.words.push_back(entry->second);
}

}  // namespace perfgate::code
