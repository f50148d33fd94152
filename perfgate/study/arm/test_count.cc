// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/test_count.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace perfgate::study {
namespace {

bool Has(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

// The number that stands right before the word, with one blank between; 0: none.
long NumberBefore(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos || at < 2) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  long number = 0;
  std::from_chars(line.data() + begin, line.data() + at - 1, number);
  return number;
}

long NumberAfter(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  long number = 0;
  if (at == std::string_view::npos) return 0;
  std::from_chars(line.data() + at + word.size(), line.data() + line.size(), number);
  return number;
}

struct Counts {
  std::optional<long> ctest{}, gtest{}, pytest{}, unittest{}, cargo{}, go{};
};

void Add(long more, std::optional<long>& sum) { sum = sum.value_or(0) + more; }

void CountPytest(std::string_view line, Counts& counts) {
  if (Has(line, "no tests ran")) {
    Add(0, counts.pytest);
    return;
  }
  const bool closes =
      Has(line, " in ") && (Has(line, " passed") || Has(line, " failed") || Has(line, " skipped") ||
                            Has(line, " error") || Has(line, " deselected"));
  if (!closes || !(line.starts_with("=") || line.ends_with("s"))) return;
  Add(NumberBefore(line, "passed") + NumberBefore(line, "failed") + NumberBefore(line, "error"),
      counts.pytest);
}

void CountGo(std::string_view line, Counts& counts) {
  if (line.starts_with("ok  \t")) Add(Has(line, "[no tests to run]") ? 0 : 1, counts.go);
  if (line.starts_with("FAIL\t")) Add(1, counts.go);
  if (line.starts_with("?   \t") && Has(line, "[no test files]")) Add(0, counts.go);
}

void CountLine(std::string_view line, Counts& counts) {
  if (Has(line, "No tests were found")) Add(0, counts.ctest);
  if (Has(line, "% tests passed, ")) Add(NumberAfter(line, " out of "), counts.ctest);
  if (line.starts_with("[==========]") && Has(line, " ran.")) {
    Add(NumberAfter(line, "[==========] "), counts.gtest);
  }
  if (line.starts_with("Ran ") && Has(line, " test") && Has(line, " in ")) {
    Add(NumberAfter(line, "Ran "), counts.unittest);
  }
  if (line.starts_with("test result: ")) {
    Add(NumberBefore(line, "passed") + NumberBefore(line, "failed"), counts.cargo);
  }
  CountPytest(line, counts);
  CountGo(line, counts);
}

}  // namespace

std::optional<long> TestsThatRan(std::string_view log) {
  Counts counts;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    std::string_view line = log.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    CountLine(line, counts);
    at = end + 1;
  }
  std::optional<long> fewest;
  for (const auto& count :
       {counts.ctest, counts.gtest, counts.pytest, counts.unittest, counts.cargo, counts.go}) {
    if (count && (!fewest || *count < *fewest)) fewest = count;
  }
  return fewest;
}

}  // namespace perfgate::study
