// SPDX-License-Identifier: Apache-2.0
// mutations.h: small random damage to a file, for tests that no damage makes anything pass.
#pragma once

#include <cstdlib>
#include <random>
#include <string>

namespace perfgate::sample {

// How many mutations a test makes of each file: PERFGATE_MUTATIONS, or 100.
inline int MutationCount() {
  constexpr int kUsual = 100;
  const char* text = std::getenv("PERFGATE_MUTATIONS");
  return text == nullptr ? kUsual : std::atoi(text);
}

// The text with one byte changed, inserted or deleted, or cut off somewhere; never the text itself.
inline std::string Mutated(const std::string& text, std::mt19937& random) {
  std::string mutant = text;
  while (mutant == text) {
    const std::size_t at = random() % text.size();
    const char byte = static_cast<char>(random() % 256);
    switch (random() % 4) {
      case 0:
        mutant[at] = byte;
        break;
      case 1:
        mutant.insert(at, 1, byte);
        break;
      case 2:
        mutant.erase(at, 1);
        break;
      default:
        mutant.resize(at);
        break;
    }
  }
  return mutant;
}

}  // namespace perfgate::sample
