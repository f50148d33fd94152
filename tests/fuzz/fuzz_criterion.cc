// SPDX-License-Identifier: Apache-2.0
// criterion's three files, one line each.
#include <string_view>

#include "perfgate/import/formats/criterion.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(criterion) {
  const auto line = [&bytes] {
    const std::string_view taken = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), taken.size() + 1));
    return taken;
  };
  perfgate::fuzz::expect_only_errors([&] {
    perfgate::import::CriterionFiles files;
    files.sample = line();
    files.benchmark = line();
    files.estimates = line();
    perfgate::fuzz::check_document(perfgate::import::read_criterion_benchmark(files, "new"));
  });
}
