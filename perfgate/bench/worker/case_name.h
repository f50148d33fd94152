// SPDX-License-Identifier: Apache-2.0
// case_name.h: what the end of a Google Benchmark name says, and how to select one case by name.
//
// The library writes a name as
//   function[/arguments][/min_time:S][/min_warmup_time:S][/iterations:K][/repeats:R]
//           [/process_time][/manual_time|/real_time][/threads:T]
// The end is text: an argument that its author named `threads` or `iterations` and put last reads
// the same. The worker treats what it finds here as a hint where the library cannot be asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfgate::bench {

enum class Clock { kCpu, kReal, kManual };  // which time the case asks to be judged by

struct NameTail {
  std::int64_t iterations = 0;   // K, 0 where absent
  std::int64_t repetitions = 0;  // R, 0 where absent
  int threads = 1;               // T
  Clock clock = Clock::kCpu;
  bool process_time = false;  // CPU time of the whole process
};

NameTail ParseNameTail(std::string_view name);

// "cpu", "real", "manual".
const char* Word(Clock clock);

// `text` with every character that means something in a POSIX extended regular expression escaped.
// Works for both regular expression libraries that Google Benchmark is built with.
std::string EscapeRegex(std::string_view text);

}  // namespace perfgate::bench
