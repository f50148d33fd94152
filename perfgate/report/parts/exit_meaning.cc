// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/exit_meaning.h"

namespace perfgate::report {

std::string_view exit_meaning(Exit exit) {
  switch (exit) {
    case Exit::kPass:
      return "pass: nothing that is gated became worse than its tolerance allows";
    case Exit::kRegression:
      return "regression: a gated case is worse than its tolerance allows";
    case Exit::kFailed:
      return "failed: the candidate crashed, timed out or broke its contract";
    case Exit::kInconclusive:
      return "inconclusive: the evidence does not settle every gated case";
    case Exit::kNotComparable:
      return "not comparable: the arms do not measure the same cases in the same way";
    case Exit::kInvalid:
      return "invalid: the evidence cannot be trusted";
    case Exit::kSuspected:
      return "suspected: recorded numbers alone say so; confirm with a paired run";
    case Exit::kUsage:
      return "usage: the command line was not understood";
    case Exit::kData:
      return "bad input: a file could not be read or written";
    case Exit::kInternal:
      return "internal error: a fault of perfgate itself";
    case Exit::kSkipped:
      return "skipped: every case skipped itself, nothing was measured";
  }
  return "unknown exit code";
}

}  // namespace perfgate::report
