// SPDX-License-Identifier: Apache-2.0
// demo_arms.h: where the two executables of `perfgate demo` lie, and what its verdict is worth.
#pragma once

#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::cli {

// The demo's old or new executable, beside perfgate in a build or in its library folder once
// installed. Error(kData) where it is in neither.
std::string DemoExecutable(const std::string& version);

// Whether the demo showed what it was built to show. kPass: the changed case is a regression and
// the unchanged one passes; kInconclusive: this machine could not tell.
Exit DemoExit(const SuiteVerdict& verdict);

// What the table above says, and what to type next.
std::string DemoText(const SuiteVerdict& verdict);

}  // namespace perfgate::cli
