// SPDX-License-Identifier: Apache-2.0
// criterion.h: what criterion.rs leaves under target/criterion.
//
// A benchmark is a folder with sample.json (iterations and total nanoseconds of each sample),
// benchmark.json (its identity; folder names may be cut) and estimates.json (cross-checks). One
// folder tree is what one `cargo bench` left: a round.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

// The bytes of one benchmark's files; estimates may be empty where there are none.
struct CriterionFiles {
  std::string_view sample;
  std::string_view benchmark;
  std::string_view estimates;
};

// True for any of the three files.
bool looks_like_criterion(const nlohmann::json& document);

// One benchmark. `folder` names it in messages; `row` numbers it.
Document read_criterion_benchmark(const CriterionFiles& files, const std::string& folder,
                                  std::size_t row = 1);

// `path` is one of a benchmark's files, the folder that has them, or a folder above: then every
// `new` below it is read. Error(kData) where there is no benchmark.
Document read_criterion(const std::string& path);

}  // namespace perfgate::import
