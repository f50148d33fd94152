// SPDX-License-Identifier: Apache-2.0
// perfgate's own session files, and the manifests of imports.
#include <string_view>

#include "perfgate/import/manifest.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(session) {
  perfgate::fuzz::expect_only_errors([&] {
    const auto session = perfgate::session_from_json(bytes, "input.json");
    const std::string text = perfgate::session_to_json(session);
    perfgate::fuzz::require(
        perfgate::session_to_json(perfgate::session_from_json(text, "again.json")) == text);
  });
  perfgate::fuzz::expect_only_errors(
      [&] { perfgate::import::manifest_from_json(bytes, "input.json"); });
}
