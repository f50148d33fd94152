// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/percent.h"

#include <fmt/format.h>

namespace perfgate::inline base {

std::string Percent(double fraction, int decimals) {
  return fmt::format("{:.{}f} %", 100 * fraction, decimals);
}

std::string SignedPercent(double fraction, int decimals) {
  return fmt::format("{:+.{}f} %", 100 * fraction, decimals);
}

std::string ShortPercent(double fraction, int digits) {
  return fmt::format("{:.{}g} %", 100 * fraction, digits);
}

}  // namespace perfgate::inline base
