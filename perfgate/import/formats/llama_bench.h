// SPDX-License-Identifier: Apache-2.0
// llama_bench.h: result files of llama-bench (-o json, -o jsonl).
//
// `samples_ns` holds the repetitions of one process, without warm-up. Tokenising and sampling are
// not timed, so no claim about end-to-end speed follows. Rates are 1e9 (n_prompt + n_gen) / ns: the
// file's own, printed to six digits, are only checked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the first document of the file (first_document()).
bool looks_like_llama_bench(const nlohmann::json& first);

// A list that is not closed means that the tool crashed: Error(kData). A file of lines just has
// fewer of them; only a list of expected cases can tell.
Document read_llama_bench(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
