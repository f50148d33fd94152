// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "perfgate/verdict/ablation/ablation.h"

namespace perfgate::inline verdict {

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::kWorse:
      return "worse";
    case Answer::kBetter:
      return "better";
    case Answer::kEqual:
      return "equal";
    case Answer::kOpen:
      return "open";
    case Answer::kNone:
      return "none";
  }
  throw std::logic_error("no such answer");
}

std::string_view to_string(Promotion promotion) {
  switch (promotion) {
    case Promotion::kNotJudged:
      return "not judged";
    case Promotion::kRejected:
      return "rejected by the wider gate";
    case Promotion::kRegresses:
      return "regresses";
    case Promotion::kUnresolved:
      return "unresolved";
    case Promotion::kPromote:
      return "promote";
    case Promotion::kNotMaterial:
      return "not material";
  }
  throw std::logic_error("no such promotion");
}

}  // namespace perfgate::inline verdict
