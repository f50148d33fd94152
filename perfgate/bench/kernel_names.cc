// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/kernel_names.h"

namespace perfgate::bench {
namespace {

std::string Listed(const std::vector<ExpectedKernel>& expected) {
  std::string text;
  for (const ExpectedKernel& kernel : expected) {
    text += (text.empty() ? "" : ", ") + kernel.pattern + " x " +
            (kernel.launches == 0 ? "any" : std::to_string(kernel.launches));
  }
  return text.empty() ? "none" : text;
}

std::string Listed(const ObservedKernels& observed) {
  constexpr std::size_t kLongest = 80;
  std::string text;
  for (const auto& [name, count] : observed) {
    text += (text.empty() ? "" : ", ") + name.substr(0, kLongest) +
            (name.size() > kLongest ? "..." : "") + " x " + std::to_string(count);
  }
  return text.empty() ? "none" : text;
}

// Where the bracket that `text` ends with was opened; npos where it never was.
std::size_t Opening(std::string_view text, char open, char close) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string KernelName(std::string_view demangled) {
  std::string_view name = demangled;
  if (const std::size_t clone = name.find(" ["); clone != std::string_view::npos) {
    name = name.substr(0, clone);
  }
  if (!name.empty() && name.back() == ')') name = name.substr(0, Opening(name, '(', ')'));
  if (!name.empty() && name.back() == '>') name = name.substr(0, Opening(name, '<', '>'));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
  }
  name.remove_prefix(begin);
  return std::string(name.empty() ? demangled : name);
}

bool MatchesPattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  // After a mismatch the last star takes one more character.
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string KernelMismatch(const std::vector<ExpectedKernel>& expected,
                           const ObservedKernels& observed, int calls) {
  bool fits = true;
  for (const ExpectedKernel& kernel : expected) {
    int launches = 0;
    for (const auto& [name, count] : observed) {
      if (MatchesPattern(kernel.pattern, name)) launches += count;
    }
    fits = fits && (kernel.launches == 0 ? launches >= calls : launches == kernel.launches * calls);
  }
  for (const auto& [name, count] : observed) {
    bool known = false;
    for (const ExpectedKernel& kernel : expected) {
      known = known || MatchesPattern(kernel.pattern, name);
    }
    fits = fits && known;
  }
  if (fits) return "";
  return "kernels differ from those declared: expected per call " + Listed(expected) +
         "; observed in " + std::to_string(calls) + " call(s) " + Listed(observed);
}

}  // namespace perfgate::bench
