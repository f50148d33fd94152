// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/trial_results.h"

#include <cmath>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::study {
namespace {

TrialResults FirstTime(const JsonCursor& rows) {
  std::string error;
  for (const JsonCursor& row : rows.elements()) {
    if (row.has("error_message")) {
      error = ": " + row.at("error_message").text();
      continue;
    }
    // Complexities and other sums of cases have no time of their own.
    if (!row.has("real_time")) continue;
    TrialResults results{row.at("name").text(), row.at("real_time").number(),
                         row.at("time_unit").text()};
    if (std::isfinite(results.time) && results.time > 0) return results;
    error = ": " + results.name + " has no time above 0";
  }
  const std::string what = rows.size() == 0 ? "the benchmark ran no case" : "no case has a time";
  return {.trouble = what + error};
}

}  // namespace

TrialResults ReadTrial(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return {.trouble = "the benchmark wrote no results"};
  try {
    const std::string text = ReadInputFile(path, kEvidenceFile);
    if (text.empty()) return {.trouble = "the benchmark ran no case"};
    const nlohmann::json results = parse_strict_json(text, path, NonFinite::kKeep);
    return FirstTime(JsonCursor(results, path).at("benchmarks"));
  } catch (const Error& unreadable) {
    return {.trouble = std::string("its results cannot be read: ") + unreadable.what()};
  }
}

}  // namespace perfgate::study
