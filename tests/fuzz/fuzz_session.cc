// SPDX-License-Identifier: Apache-2.0
// perfgate's own session files, and the manifests of imports.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perfgate/import/manifest.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  perfgate::fuzz::expect_only_errors([&] {
    const auto session = perfgate::session_from_json(bytes, "input.json");
    const std::string text = perfgate::session_to_json(session);
    perfgate::fuzz::require(
        perfgate::session_to_json(perfgate::session_from_json(text, "again.json")) == text);
  });
  perfgate::fuzz::expect_only_errors(
      [&] { perfgate::import::manifest_from_json(bytes, "input.json"); });
  return 0;
}
