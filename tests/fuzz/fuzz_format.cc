// SPDX-License-Identifier: Apache-2.0
// The reader of the format PERFGATE_FUZZ_FORMAT, past detection.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perfgate/import/detect.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  perfgate::fuzz::expect_only_errors([&] {
    const auto& format = perfgate::import::format_named(PERFGATE_FUZZ_FORMAT);
    perfgate::fuzz::check_document(
        format.read(bytes, "no_such_folder/input.json", perfgate::MetricRegistry::built_in()));
  });
  return 0;
}
