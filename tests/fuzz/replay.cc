// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over its corpus once, without a fuzzing engine: `replay FOLDER`.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

#include "perfgate/base/json/strict_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int inputs = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = perfgate::read_file_text(entry.path().string());
      // Every cut of a short input as well: truncation is what crashes leave behind.
      const std::size_t step = bytes.size() < 4096 ? 1 : bytes.size() / 512;
      for (std::size_t size = 0; size < bytes.size(); size += step) {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), size);
      }
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++inputs;
    }
  }
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
