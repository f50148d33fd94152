// SPDX-License-Identifier: Apache-2.0
// Detection over all formats: at most one claims a document, and its name does not matter.
#include <string_view>

#include "perfgate/import/detect.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(detect) {
  perfgate::fuzz::expect_only_errors([&] {
    const auto& found = perfgate::import::detect_format(bytes, "a.json");
    perfgate::fuzz::require(found.name == perfgate::import::detect_format(bytes, "b.csv").name);
  });
}
