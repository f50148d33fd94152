// SPDX-License-Identifier: Apache-2.0
// arguments.h: what a test executable is told: its command line without GoogleTest's options, and
// where the sources lie.
#pragma once

#include <string>
#include <vector>

namespace perfgate::test_support {

const std::vector<std::string>& Arguments();

// The text behind `--name=`; empty where the option was not given.
std::string OptionValue(const std::string& name);

bool HasFlag(const std::string& name);  // "--update"

// The root of the checkout.
std::string SourceFolder();

// DataFile("parity/commits.json"): of tests/data.
std::string DataFile(const std::string& name);

}  // namespace perfgate::test_support
