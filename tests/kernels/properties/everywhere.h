// SPDX-License-Identifier: Apache-2.0
// everywhere.h: laws that an op must obey whatever its reference says, for every implementation and
// level, and a few answers worked out by hand for the references themselves.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kernels/element.h"
#include "kernels/registry.h"
#include "tests/kernels/arena.h"

namespace kernels::testing {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInf = std::numeric_limits<float>::infinity();

// Calls test(run) for each implementation and level; run(args) executes it.
template <class Args, class Test>
void Everywhere(Test test) {
  for (const auto& row : Table<Args>::rows) {
    for (const Isa isa : kAllIsas) {
      if (isa > BestIsa()) {
        continue;
      }
      SCOPED_TRACE(std::string(row.impl) + " " + std::string(Name(isa)));
      test([&](const Args& args) { kernels::Run(row, args, Context{isa}); });
    }
  }
}

}  // namespace kernels::testing
