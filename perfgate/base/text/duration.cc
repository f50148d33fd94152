// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/duration.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "perfgate/base/text/number_text.h"

namespace perfgate::inline base {
namespace {

// Divisors below a second: 250 / 1e3 is the double nearest to 0.25, 250 * 1e-3 need not be.
struct Unit {
  std::string_view word;
  double multiply;
  double divide;
};
constexpr std::array<Unit, 8> kUnits = {{{"", 1, 1},
                                         {"ns", 1, 1e9},
                                         {"us", 1, 1e6},
                                         {"ms", 1, 1e3},
                                         {"s", 1, 1},
                                         {"min", 60, 1},
                                         {"m", 60, 1},
                                         {"h", 3600, 1}}};

}  // namespace

double parse_duration_s(std::string_view text, std::string_view what, Exit exit) {
  if (const auto number = leading_number(text)) {
    const auto [value, rest] = *number;
    for (const Unit& unit : kUnits) {
      const double seconds = value * unit.multiply / unit.divide;
      if (rest == unit.word && !std::signbit(value) && std::isfinite(seconds)) return seconds;
    }
  }
  throw Error(exit, std::string(what) + ": \"" + std::string(text) +
                        "\" is not a duration; write it as \"60s\", \"5min\", \"1.5h\", \"10ms\" "
                        "or a number of seconds");
}

std::string seconds_text(double seconds) { return fmt::format("{:.3g} s", seconds); }

}  // namespace perfgate::inline base
