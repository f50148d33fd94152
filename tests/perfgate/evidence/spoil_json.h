// SPDX-License-Identifier: Apache-2.0
// spoil_json.h: every way to spoil one field of a valid file, for tests that no reader accepts any.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate::sample {

using Json = nlohmann::json;
using Reader = std::function<void(const std::string& text)>;

// JSON pointers of everything inside the document, the document itself left out.
inline void collect_pointers(const Json& value, const Json::json_pointer& at,
                             std::vector<Json::json_pointer>& pointers) {
  const auto visit = [&](const Json::json_pointer& inner, const Json& child) {
    pointers.push_back(inner);
    collect_pointers(child, inner, pointers);
  };
  if (value.is_object()) {
    for (const auto& [key, child] : value.items()) visit(at / key, child);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) visit(at / i, value[i]);
  }
}

inline std::vector<Json::json_pointer> all_pointers(const Json& document) {
  std::vector<Json::json_pointer> pointers;
  collect_pointers(document, Json::json_pointer(), pointers);
  return pointers;
}

// One value of every JSON type that is not the type of `value`; a fraction where `value` is an
// integer is left to the caller, since a number field may hold either.
inline std::vector<Json> other_types(const Json& value) {
  std::vector<Json> others;
  for (const Json& other : {Json(), Json(true), Json(7), Json("text"), Json::array({Json::array()}),
                            Json({{"unknown", 1}})}) {
    const bool same = other.type() == value.type() || (other.is_number() && value.is_number());
    if (!same) others.push_back(other);
  }
  return others;
}

// The refusal must be an Error with the JSON pointer in its message.
inline void expect_refused(const Reader& read, const Json& document, const std::string& pointer,
                           const std::string& what) {
  try {
    read(document.dump());
    ADD_FAILURE() << what << " was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(pointer), std::string::npos)
        << what << ": " << error.what();
    EXPECT_TRUE(error.exit() == Exit::kData || error.exit() == Exit::kInvalid) << what;
  }
}

// A document that contradicts itself is invalid evidence, not merely unreadable. `where` is how the
// message begins: file name and JSON pointer.
inline void expect_contradiction(const Reader& read, const Json& document,
                                 const std::string& where) {
  try {
    read(document.dump());
    ADD_FAILURE() << where << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid) << error.what();
    EXPECT_NE(std::string(error.what()).find(where), std::string::npos) << error.what();
  }
}

// Fields that came after the first files were written: a file without them is still read.
inline bool is_later_field(std::string_view name) {
  constexpr std::string_view kLater[] = {"physical_cores",
                                         "baseline_sessions",
                                         "candidate_sessions",
                                         "baseline_head",
                                         "ledger_head",
                                         "sockets",
                                         "cpu_limit",
                                         "memory_limit_gib",
                                         "gpus",
                                         "codegen",
                                         "workload",
                                         "work",
                                         "arm_iterations",
                                         "aggregates",
                                         "environment",
                                         "origins",
                                         "noise_ratio",
                                         "noise_ratio_p",
                                         "layouts",
                                         "reuse_layouts",
                                         "link_effect",
                                         "link_sd",
                                         "layout_sd",
                                         "layout_rounds",
                                         "confirmation",
                                         "unchanged_code",
                                         "hot_code",
                                         "trust",
                                         "fit",
                                         "plan",
                                         "counted",
                                         "given_arguments",
                                         "compared_cases",
                                         "second_clock",
                                         "second_clock_margin",
                                         "plausibility",
                                         "unchecked_speedup",
                                         "slice_wall_s",
                                         "slice_timed_s",
                                         "checked",
                                         "checked_cases",
                                         "gated_cases",
                                         "earlier_candidates",
                                         "repository",
                                         "change",
                                         "trusted_commit",
                                         "session_digest"};
  return std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater);
}

// Deletes every field of every object in turn.
// also_later: pointers of further later fields, whose names stand elsewhere too.
inline void expect_deletions_refused(const Json& document, const Reader& read,
                                     const std::vector<std::string>& also_later = {}) {
  for (const auto& pointer : all_pointers(document)) {
    if (!document[pointer.parent_pointer()].is_object()) continue;
    Json spoiled = document;
    spoiled[pointer.parent_pointer()].erase(pointer.back());
    const bool later =
        std::find(also_later.begin(), also_later.end(), pointer.to_string()) != also_later.end();
    if (later || is_later_field(pointer.back())) {
      try {
        read(spoiled.dump());
      } catch (const Error& error) {  // what a machine lacks may still contradict its class
        EXPECT_NE(std::string(error.what()).find("/machine_class"), std::string::npos)
            << "without " << pointer.to_string() << ": " << error.what();
      }
      continue;
    }
    expect_refused(read, spoiled, pointer.to_string(), "without " + pointer.to_string());
  }
}

// Gives every value a wrong type in turn. `allowed` tells which pairs are none the less right.
inline void expect_type_changes_refused(
    const Json& document, const Reader& read,
    const std::function<bool(const Json::json_pointer&, const Json&)>& allowed) {
  for (const auto& pointer : all_pointers(document)) {
    for (const Json& other : other_types(document[pointer])) {
      if (allowed(pointer, other)) continue;
      Json spoiled = document;
      spoiled[pointer] = other;
      expect_refused(read, spoiled, pointer.to_string(),
                     pointer.to_string() + " as " + other.dump());
    }
  }
}

// Adds a field to every object in turn.
inline void expect_additions_refused(const Json& document, const Reader& read) {
  auto pointers = all_pointers(document);
  pointers.emplace_back();
  for (const auto& pointer : pointers) {
    if (!document[pointer].is_object()) continue;
    Json spoiled = document;
    spoiled[pointer]["versoin"] = 1;
    expect_refused(read, spoiled, (pointer / "versoin").to_string(),
                   "an extra field in " + pointer.to_string());
  }
}

// Cuts the text after every byte but the final newline.
inline void expect_truncations_refused(const std::string& text, const Reader& read) {
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_THROW(read(text.substr(0, length)), Error) << length << " bytes";
  }
}

}  // namespace perfgate::sample
