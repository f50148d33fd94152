// SPDX-License-Identifier: Apache-2.0
// build_description.h: how the executable that links perfgate::main was compiled.
//
// build_description.cc is compiled in the user's target with the user's flags (an INTERFACE source
// of perfgate::main), because what matters is how the measured code was built, not how perfgate
// was.
#pragma once

namespace perfgate::bench {

struct BuildDescription {
  const char* compiler;  // "GNU 12.2.0", "Clang 14.0.6"
  bool optimized;        // any -O above -O0
  bool assertions;       // NDEBUG is not defined
  // Comma-separated: address, thread, memory, undefined; empty for none. GCC has no macro for
  // UndefinedBehaviorSanitizer, so only Clang builds can say `undefined`.
  const char* sanitizer;
  // What changes the generated code and shows in macros, in a fixed order, separated by spaces:
  // "avx2 fma pie fortify=2". Levels of optimisation beyond "any" do not show.
  const char* codegen;
  // Also lies, readable without running the executable, in its section .perfgate:
  // "perfgate-worker-protocol:1", zero-terminated.
  const char* protocol_marker;
};

BuildDescription ThisBuild();

}  // namespace perfgate::bench
