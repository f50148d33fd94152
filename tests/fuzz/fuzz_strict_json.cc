// SPDX-License-Identifier: Apache-2.0
// The strict parser against the plain one: what both read is the same, and with bare words kept
// nothing is read that differs from the document without them.
#include <nlohmann/json.hpp>
#include <string_view>

#include "perfgate/base/json/strict_json.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(strict_json) {
  bool strict = false;
  nlohmann::json document;
  perfgate::fuzz::expect_only_errors([&] {
    document = perfgate::parse_strict_json(bytes, "input.json");
    strict = true;
    perfgate::fuzz::require(document == nlohmann::json::parse(bytes));
  });
  perfgate::fuzz::expect_only_errors([&] {
    const auto kept = perfgate::parse_strict_json(bytes, "input.json", perfgate::NonFinite::kKeep);
    if (strict) perfgate::fuzz::require(kept == document);
  });
}
