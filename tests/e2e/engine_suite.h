// SPDX-License-Identifier: Apache-2.0
// engine_suite.h: runs perfgate on builds of the engine suite and reads its verdict.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace engine_suite {

// `what` measures and judges. Its output is printed, and left in *output.
perfgate::SuiteVerdict Judge(const std::string& what, std::string* output = nullptr);

perfgate::SuiteVerdict Gate(const std::string& baseline, const std::string& candidate,
                            const std::string& options);

// The first column of that metric whose case has `part` in its name; none fails the test.
const perfgate::ColumnVerdict& Column(const perfgate::SuiteVerdict& verdict,
                                      const std::string& part, const std::string& metric);

}  // namespace engine_suite
