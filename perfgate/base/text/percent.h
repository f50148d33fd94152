// SPDX-License-Identifier: Apache-2.0
// percent.h: fractions as per cents, whatever the locale.
#pragma once

#include <string>

namespace perfgate::inline base {

// "12.5 %": a fixed number of decimals.
std::string Percent(double fraction, int decimals);

// "+1.25 %", "-0.30 %": changes.
std::string SignedPercent(double fraction, int decimals = 2);

// "12 %", "0.25 %", "1e-05 %": a number of significant digits.
std::string ShortPercent(double fraction, int digits);

}  // namespace perfgate::inline base
