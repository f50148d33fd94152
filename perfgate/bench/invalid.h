// SPDX-License-Identifier: Apache-2.0
// invalid.h: how a benchmark says that its own numbers cannot be trusted.
//
//   state.SkipWithError(perfgate::bench::Invalid("the outputs changed after the call").c_str());
//
// ends the case with the fault `invalid` (exit code 14 of the gate) instead of `failed`: nothing is
// said about who is slower, or whose fault it is. By hand the message reads "invalid: ...".
#pragma once

#include <string>
#include <string_view>

namespace perfgate::bench {

inline constexpr std::string_view kInvalidPrefix = "invalid: ";

inline std::string Invalid(const std::string& why) { return std::string(kInvalidPrefix) + why; }

inline bool IsInvalid(std::string_view message) {
  return message.substr(0, kInvalidPrefix.size()) == kInvalidPrefix;
}

}  // namespace perfgate::bench
