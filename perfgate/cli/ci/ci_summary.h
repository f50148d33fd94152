// SPDX-License-Identifier: Apache-2.0
// ci_summary.h: what pages of CI systems show of a gate.
#pragma once

#include <string>

#include "perfgate/ci/ci.h"

namespace perfgate::cli {

// Markdown.
std::string CiSummary(const ci::CiResult& result);

// Appends to a file, at most 1 MiB of it, which is what GitHub shows; empty path: nothing.
// Error(kData).
void AppendSummary(const std::string& path, const std::string& text);

}  // namespace perfgate::cli
