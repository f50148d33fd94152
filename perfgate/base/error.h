// SPDX-License-Identifier: Apache-2.0
// error.h: the one exception type that perfgate throws at its edges.
//
// An Error says what was wrong, where, and what to do about it, and carries the exit code of the
// command line that hits it. Broken invariants inside perfgate are std::logic_error (exit 70).
#pragma once

#include <array>
#include <stdexcept>
#include <string>

namespace perfgate::inline base {

// Exit codes of every perfgate command. 0, 1 and 2 are left to wrappers and build tools, so that a
// wrapper's own failure is never read as a verdict.
enum class Exit : int {
  kPass = 0,
  kRegression = 10,
  kFailed = 11,
  kInconclusive = 12,
  kNotComparable = 13,
  kInvalid = 14,
  kSuspected = 15,
  kUsage = 64,
  kData = 65,
  kInternal = 70,
  kSkipped = 77,
};

// Exit is the one enumeration that files hold as its number.
inline constexpr std::array<Exit, 11> kExitCodes = {
    Exit::kPass,          Exit::kRegression, Exit::kFailed,    Exit::kInconclusive,
    Exit::kNotComparable, Exit::kInvalid,    Exit::kSuspected, Exit::kUsage,
    Exit::kData,          Exit::kInternal,   Exit::kSkipped};

class Error : public std::runtime_error {
 public:
  Error(Exit exit, const std::string& what) : std::runtime_error(what), exit_(exit) {}
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

}  // namespace perfgate::inline base
