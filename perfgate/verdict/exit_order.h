// SPDX-License-Identifier: Apache-2.0
// exit_order.h: how bad a comparison is, worst first, and the exit code of the worst of many.
#pragma once

#include <optional>

#include "perfgate/base/error.h"

namespace perfgate::inline verdict {

// The order in which the outcomes of a suite decide its exit code: the first that a
// gated comparison has. Each has one exit code, see ExitOf().
enum class Severity {
  kInvalid,
  kFailed,
  kRegression,
  kNotComparable,
  kSuspected,
  kInconclusive,
  kPass,
  kSkipped,
};

constexpr Exit ExitOf(Severity severity) {
  switch (severity) {
    case Severity::kInvalid:
      return Exit::kInvalid;
    case Severity::kFailed:
      return Exit::kFailed;
    case Severity::kRegression:
      return Exit::kRegression;
    case Severity::kNotComparable:
      return Exit::kNotComparable;
    case Severity::kSuspected:
      return Exit::kSuspected;
    case Severity::kInconclusive:
      return Exit::kInconclusive;
    case Severity::kPass:
      return Exit::kPass;
    case Severity::kSkipped:
      return Exit::kSkipped;
  }
  return Exit::kInternal;
}

// Collects the severities of a suite's gated comparisons.
class WorstSeverity {
 public:
  void Add(Severity severity) {
    if (!worst_ || severity < *worst_) worst_ = severity;
  }

  // A comparison of a case that the baseline lacks: alone it compares nothing.
  void AddNew() {
    Add(Severity::kSkipped);
    any_new_ = true;
  }

  // Nothing to compare, or nothing but what is new or skipped: kNotComparable. All skipped:
  // kSkipped.
  Exit exit() const {
    if (!worst_ || (worst_ == Severity::kSkipped && any_new_)) return Exit::kNotComparable;
    return ExitOf(*worst_);
  }

 private:
  std::optional<Severity> worst_;
  bool any_new_ = false;
};

}  // namespace perfgate::inline verdict
