// SPDX-License-Identifier: Apache-2.0
// The reader of the format that the parameter names, past detection.
#include <string_view>

#include "perfgate/import/detect.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(format) {
  perfgate::fuzz::expect_only_errors([&] {
    const auto& format = perfgate::import::format_named(parameter);
    perfgate::fuzz::check_document(
        format.read(bytes, "no_such_folder/input.json", perfgate::MetricRegistry::built_in()));
  });
}
