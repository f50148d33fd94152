// SPDX-License-Identifier: Apache-2.0
// csv.h: lines of comma-separated values, RFC 4180.
#pragma once

#include <string>
#include <vector>

namespace perfgate::report {

// Cells are quoted where they must be; the line ends in CR LF.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace perfgate::report
