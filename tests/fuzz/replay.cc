// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over a corpus once, without a fuzzing engine: `fuzz_replay TARGET PARAMETER
// FOLDER`.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "perfgate/base/io/read_file.h"
#include "tests/fuzz/target.h"

namespace perfgate::fuzz {
namespace {

std::map<std::string_view, Target>& Targets() {
  static std::map<std::string_view, Target> targets;
  return targets;
}

int Replay(Target target, std::string_view parameter, const char* folder) {
  int inputs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file_text(entry.path().string());
    // Every cut of a short input as well: truncation is what crashes leave behind.
    const std::size_t step = bytes.size() < 4096 ? 1 : bytes.size() / 512;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      target(std::string_view(bytes).substr(0, size), parameter);
    }
    target(bytes, parameter);
    ++inputs;
  }
  return inputs;
}

}  // namespace

bool Register(std::string_view name, Target target) {
  return Targets().emplace(name, target).second;
}

}  // namespace perfgate::fuzz

int main(int argc, char** argv) {
  using namespace perfgate::fuzz;
  if (argc != 4 || !Targets().contains(argv[1])) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET PARAMETER FOLDER; targets:\n");
    for (const auto& [name, target] : Targets()) std::fprintf(stderr, "  %s\n", name.data());
    return 2;
  }
  const int inputs = Replay(Targets().at(argv[1]), argv[2], argv[3]);
  std::printf("%d inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
