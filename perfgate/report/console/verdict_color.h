// SPDX-License-Identifier: Apache-2.0
// verdict_color.h: red is the candidate's fault, yellow is open, green passed.
#pragma once

#include <string_view>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

inline std::string_view VerdictColor(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInvalid:
    case Verdict::kFailed:
    case Verdict::kRegression:
      return kRed;
    case Verdict::kNotComparable:
    case Verdict::kMissing:
    case Verdict::kSuspected:
    case Verdict::kInconclusive:
      return kYellow;
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      return kGreen;
    case Verdict::kSkipped:
    case Verdict::kNew:
      break;
  }
  return "";
}

}  // namespace perfgate::report
