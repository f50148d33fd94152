// SPDX-License-Identifier: Apache-2.0
// Detection over all formats: at most one claims a document, and its name does not matter.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perfgate/import/detect.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  perfgate::fuzz::expect_only_errors([&] {
    const auto& found = perfgate::import::detect_format(bytes, "a.json");
    perfgate::fuzz::require(found.name == perfgate::import::detect_format(bytes, "b.csv").name);
  });
  return 0;
}
