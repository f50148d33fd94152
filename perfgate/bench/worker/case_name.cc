// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/case_name.h"

#include <charconv>
#include <optional>

namespace perfgate::bench {
namespace {

// Takes the last component off `name` if it is `word`.
bool TakeWord(std::string_view& name, std::string_view word) {
  if (name.size() <= word.size() || name.substr(name.size() - word.size()) != word ||
      name[name.size() - word.size() - 1] != '/') {
    return false;
  }
  name.remove_suffix(word.size() + 1);
  return true;
}

// Takes the last component off `name` if it is `key` and a positive decimal number.
std::optional<std::int64_t> TakeNumber(std::string_view& name, std::string_view key) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || name.substr(slash + 1, key.size()) != key) {
    return std::nullopt;
  }
  const std::string_view digits = name.substr(slash + 1 + key.size());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 1) {
    return std::nullopt;
  }
  name.remove_suffix(name.size() - slash);
  return value;
}

}  // namespace

NameTail ParseNameTail(std::string_view name) {
  NameTail tail;
  constexpr std::int64_t kMostThreads = 1 << 20;  // more is an argument that looks like threads
  std::string_view before = name;
  if (const auto threads = TakeNumber(before, "threads:"); threads && *threads <= kMostThreads) {
    tail.threads = static_cast<int>(*threads);
    name = before;
  }
  if (TakeWord(name, "manual_time")) {
    tail.clock = Clock::kManual;
  } else if (TakeWord(name, "real_time")) {
    tail.clock = Clock::kReal;
  }
  tail.process_time = TakeWord(name, "process_time");
  tail.repetitions = TakeNumber(name, "repeats:").value_or(0);
  tail.iterations = TakeNumber(name, "iterations:").value_or(0);
  return tail;
}

const char* Word(Clock clock) {
  switch (clock) {
    case Clock::kReal:
      return "real";
    case Clock::kManual:
      return "manual";
    case Clock::kCpu:
      break;
  }
  return "cpu";
}

std::string EscapeRegex(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + 8);
  for (const char c : text) {
    // ']' and '}' alone are ordinary, and escaping them is undefined in POSIX.
    if (std::string_view(R"(\^$.[|()*+?{)").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace perfgate::bench
