// SPDX-License-Identifier: Apache-2.0
// uri.h: how code hosts tell files and findings apart.
#pragma once

#include <string>

#include "perfgate/report/exchange/findings.h"

namespace perfgate::report {

// A path as a relative reference of RFC 3986: "my src/a.cc" is "my%20src/a.cc".
std::string RelativeUri(const std::string& path);

// 64 hex digits that stay the same from run to run: of suite, case, metric and rule.
std::string FingerprintOf(const std::string& suite, const Finding& finding);

}  // namespace perfgate::report
