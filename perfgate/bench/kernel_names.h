// SPDX-License-Identifier: Apache-2.0
// kernel_names.h: the kernels that a call launched against those that its author says it launches.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate::bench {

// "rmsnorm*" with a count: exactly so many launches per call match. `*` stands for any characters.
// Patterns are matched against the whole of what KernelName() gives, so begin and end with `*`
// freely.
struct ExpectedKernel {
  std::string pattern;
  int launches = 1;  // per call; 0: at least one
};

// Launches per kernel name.
using ObservedKernels = std::map<std::string, int>;

// The qualified name of a function without return type, parameters and its own template arguments:
// "kernels::Softmax" for "void kernels::Softmax<float, 4>(float const*, float*)".
std::string KernelName(std::string_view demangled);

bool MatchesPattern(std::string_view pattern, std::string_view name);

// Empty where `observed`, over `calls` calls, is what was expected: every pattern is met with its
// count and every launch matches some pattern. Else both lists in words.
std::string KernelMismatch(const std::vector<ExpectedKernel>& expected,
                           const ObservedKernels& observed, int calls);

}  // namespace perfgate::bench
