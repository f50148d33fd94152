// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/fraction.h"

#include <string>

#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/number_text.h"

namespace perfgate::inline base {

double parse_fraction(std::string_view text, std::string_view what, Exit exit) {
  if (const auto number = leading_number(text)) {
    const auto [value, rest] = *number;
    if (rest == "%") return value / 100;
    if (rest.empty()) {
      if (const auto problem = BareNumberProblem(value)) {
        throw Error(exit, std::string(what) + ": " + *problem);
      }
      return value;
    }
  }
  throw Error(exit, std::string(what) + ": \"" + std::string(text) +
                        R"(" is not a fraction; write it as "2%" or 0.02)");
}

std::optional<std::string> BareNumberProblem(double value) {
  if (value <= 1) return std::nullopt;
  const std::string number = format_number(value);
  return number + " without a per cent sign may mean " + number + "% or " +
         format_number(100 * value) + R"(%; write ")" + number + R"(%" or ")" +
         format_number(100 * value) + R"(%")";
}

}  // namespace perfgate::inline base
