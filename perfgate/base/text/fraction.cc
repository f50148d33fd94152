// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/fraction.h"

#include <string>

#include "perfgate/base/text/number_text.h"

namespace perfgate::inline base {

double parse_fraction(std::string_view text, std::string_view what, Exit exit) {
  if (const auto number = leading_number(text)) {
    const auto [value, rest] = *number;
    if (rest.empty()) return value;
    if (rest == "%") return value / 100;
  }
  throw Error(exit, std::string(what) + ": \"" + std::string(text) +
                        R"(" is not a fraction; write it as "2%" or 0.02)");
}

}  // namespace perfgate::inline base
