// SPDX-License-Identifier: Apache-2.0
// gtest.h: perfgate in GoogleTest.
//
//   EXPECT_THAT(perfgate::read_verdict("perfgate/kernels.verdict.json"),
//               perfgate::testing::Passes());              // what a gate concluded (matchers.h)
//
//   // The same of a verdict that the gate signed (gate --key):
//   EXPECT_THAT(perfgate::read_verdict("perfgate/kernels.verdict.json", "/etc/perfgate/key"),
//               perfgate::testing::Passes());
//
//   PERFGATE_EXPECT_NOT_SLOWER(sort_before, sort_now, 0.10);  // two callables here and now
//                                                             // (not_slower.h, and its limits)
// Link perfgate::gtest.
#pragma once

#include "perfgate/evidence/files/files.h"  // IWYU pragma: export
#include "perfgate/gtest/matchers.h"        // IWYU pragma: export
#include "perfgate/gtest/not_slower.h"      // IWYU pragma: export
#include "perfgate/verdict/verdict_file.h"  // IWYU pragma: export
