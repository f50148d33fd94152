// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/comparability.h"

namespace perfgate::inline verdict {
namespace {

std::string yes_no(bool value) { return value ? "yes" : "no"; }

std::string named(const std::string& sanitizer) { return sanitizer.empty() ? "none" : sanitizer; }

}  // namespace

std::optional<std::string> build_mismatch(const ArmInfo& baseline, const ArmInfo& candidate) {
  const BuildInfo& b = baseline.build;
  const BuildInfo& c = candidate.build;
  if (b.sanitizer != c.sanitizer) {
    return "build_type_mismatch: sanitizer " + named(b.sanitizer) + " against " +
           named(c.sanitizer);
  }
  if (!b.known || !c.known) return std::nullopt;
  if (b.optimized != c.optimized) {
    return "build_type_mismatch: optimised " + yes_no(b.optimized) + " against " +
           yes_no(c.optimized);
  }
  if (b.assertions != c.assertions) {
    return "build_type_mismatch: assertions " + yes_no(b.assertions) + " against " +
           yes_no(c.assertions);
  }
  return std::nullopt;
}

std::vector<std::string> build_warnings(const ArmInfo& baseline, const ArmInfo& candidate) {
  std::vector<std::string> warnings;
  const BuildInfo& b = baseline.build;
  const BuildInfo& c = candidate.build;
  const bool known_compilers = !b.compiler.empty() && !c.compiler.empty();
  if (known_compilers && b.compiler != c.compiler) {
    warnings.push_back("compilers differ: " + b.compiler + " against " + c.compiler);
  }
  if (b.known && c.known && !b.codegen.empty() && !c.codegen.empty() && b.codegen != c.codegen) {
    warnings.push_back("compiled for other code: " + b.codegen + " against " + c.codegen);
  }
  const bool known_libraries = !baseline.library.empty() && !candidate.library.empty();
  if (known_libraries && baseline.library != candidate.library) {
    warnings.push_back("Google Benchmark versions differ: " + baseline.library + " against " +
                       candidate.library);
  }
  if (b.known && c.known && !b.optimized && !c.optimized) {
    warnings.emplace_back("both executables are built without optimisation");
  }
  if (b.known && c.known && b.assertions && c.assertions && b.optimized) {
    warnings.emplace_back("both executables are built with assertions");
  }
  if (!b.sanitizer.empty() && b.sanitizer == c.sanitizer) {
    warnings.push_back("both executables run under a sanitizer (" + b.sanitizer + ")");
  }
  return warnings;
}

}  // namespace perfgate::inline verdict
