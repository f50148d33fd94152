// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/dwarf_build.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <sstream>

#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/text/join.h"

namespace perfgate::measure {
namespace {

// Adds the producer of every unit in the file.
void AddProducers(const std::string& file, std::set<std::string>& producers) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return;
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin(fd.get(), DWARF_C_READ),
                                                      dwarf_end);
  if (!dwarf) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die{};
  while (dwarf_get_units(dwarf.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Attribute attribute{};
    const char* const text = dwarf_formstring(dwarf_attr(&die, DW_AT_producer, &attribute));
    if (text != nullptr) producers.insert(text);
  }
}

std::vector<std::string> WordsOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Whether a switch changes the code that is generated; those that only say for which processor it
// is scheduled, and what distributions add for safety, are left out.
bool ChangesCode(std::string_view option) {
  constexpr std::array<std::string_view, 7> kOthers = {"-ffast-math",
                                                       "-flto",
                                                       "-fno-inline",
                                                       "-fprofile-use",
                                                       "-funroll-loops",
                                                       "-ftree-vectorize",
                                                       "-fno-omit-frame-pointer"};
  if (option.starts_with("-O")) return true;
  if (option.starts_with("-m")) return !option.starts_with("-mtune=");
  return std::any_of(kOthers.begin(), kOthers.end(),
                     [&](std::string_view other) { return option.starts_with(other); });
}

struct Unit {
  std::string compiler;
  std::string switches;  // without their dashes; empty: not recorded
  bool optimized = false;
};

// "GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2": the last level counts.
Unit UnitOfGnu(const std::vector<std::string>& words) {
  Unit unit;
  unit.compiler = "GNU " + words[2];
  std::string level = "O0";
  std::set<std::string> switches;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (!ChangesCode(words[i])) continue;
    if (words[i].starts_with("-O")) {
      level = words[i] == "-O" ? "O1" : words[i].substr(1);
    } else {
      switches.insert(words[i].substr(1));
    }
  }
  if (words.size() <= 3) return unit;
  unit.optimized = level != "O0";
  unit.switches = level;
  for (const std::string& option : switches) unit.switches += " " + option;
  return unit;
}

// "Debian clang version 14.0.6"
Unit UnitOfOther(const std::vector<std::string>& words) {
  Unit unit;
  const auto version = std::find(words.begin(), words.end(), "version");
  if (version == words.begin() || version == words.end() || version + 1 == words.end()) return unit;
  if (*(version - 1) == "clang") unit.compiler = "Clang " + *(version + 1);
  return unit;
}

}  // namespace

std::optional<BuildInfo> BuildFromProducers(const std::vector<std::string>& producers) {
  BuildInfo build;
  std::set<std::string> compilers;
  std::set<std::string> switches;
  for (const std::string& producer : producers) {
    const std::vector<std::string> words = WordsOf(producer);
    // The assembler's units are those of the C library's start.
    const bool gnu = words.size() > 2 && words[0] == "GNU" && words[1] != "AS";
    const Unit unit = gnu ? UnitOfGnu(words) : UnitOfOther(words);
    if (!unit.compiler.empty()) compilers.insert(unit.compiler);
    if (!unit.switches.empty()) switches.insert(unit.switches);
    build.optimized = build.optimized || unit.optimized;
  }
  if (compilers.empty()) return std::nullopt;
  build.known = !switches.empty();
  build.compiler = Join(compilers);
  build.codegen = Join(switches);
  return build;
}

std::optional<BuildInfo> BuildFromDwarf(const std::vector<std::string>& files) {
  std::set<std::string> producers;
  for (const std::string& file : files) AddProducers(file, producers);
  return BuildFromProducers({producers.begin(), producers.end()});
}

}  // namespace perfgate::measure
