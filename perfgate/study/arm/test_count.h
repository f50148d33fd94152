// SPDX-License-Identifier: Apache-2.0
// test_count.h: how many tests ran, from the closing lines of test programs.
#pragma once

#include <optional>
#include <string_view>

namespace perfgate::study {

// Knows CTest, GoogleTest, pytest, unittest, cargo and go. Where several speak, the one that ran
// fewest: a CTest that starts an empty test program tested nothing. None: nobody says.
std::optional<long> TestsThatRan(std::string_view log);

}  // namespace perfgate::study
