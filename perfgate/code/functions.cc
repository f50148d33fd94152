// SPDX-License-Identifier: Apache-2.0
#include "perfgate/code/functions.h"

#include <algorithm>

#include "perfgate/code/instructions.h"

namespace perfgate::code {

std::string DifferenceOf(const ElfImage& baseline, References& baseline_references,
                         const Object& one, const ElfImage& candidate,
                         References& candidate_references, const Object& other) {
  const MaskedCode before = MaskAddresses(baseline, one);
  const MaskedCode after = MaskAddresses(candidate, other);
  if (before.bytes.empty() || after.bytes.empty()) return "no code";
  if (before.bytes.size() != after.bytes.size()) {
    return "size " + std::to_string(before.bytes.size()) + " -> " +
           std::to_string(after.bytes.size());
  }
  const auto at = std::mismatch(before.bytes.begin(), before.bytes.end(), after.bytes.begin());
  if (at.first != before.bytes.end()) {
    return "bytes at +" + std::to_string(at.first - before.bytes.begin());
  }
  // Behind what the disassembler knows, equal bytes may call something else.
  if (before.understood != before.bytes.size() || after.understood != after.bytes.size()) {
    return "an unknown instruction at +" +
           std::to_string(std::min(before.understood, after.understood));
  }
  if (before.uses.size() != after.uses.size()) return "what it refers to";
  for (std::size_t i = 0; i < before.uses.size(); ++i) {
    const AddressUse& use = before.uses[i];
    const AddressUse& now = after.uses[i];
    if (use.at == now.at && use.size == now.size && use.jump == now.jump &&
        SameReference(baseline_references.Resolve(use, one),
                      candidate_references.Resolve(now, other))) {
      continue;
    }
    return "what +" + std::to_string(use.at) + " refers to";
  }
  return {};
}

}  // namespace perfgate::code
