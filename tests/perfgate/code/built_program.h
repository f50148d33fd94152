// SPDX-License-Identifier: Apache-2.0
// built_program.h: small programs that tests compile, link and compare.
#pragma once

#include <string>
#include <vector>

namespace perfgate::code {

struct SourceFile {
  std::string name;  // "hot.cc"
  std::string text;
};

// Compiles each file in `folder` and links them in the order given. Flags go to both. Returns the
// path of the executable; empty, with a failed expectation, where the compiler refuses.
std::string BuildProgram(const std::string& folder, const std::vector<SourceFile>& files,
                         const std::string& flags, const std::string& compiler = PERFGATE_TEST_CXX);

// What differs between the functions of that name; empty: nothing.
std::string DifferenceInFunction(const std::string& baseline, const std::string& candidate,
                                 const std::string& name);

}  // namespace perfgate::code
