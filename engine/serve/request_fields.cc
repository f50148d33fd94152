// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/request_fields.h"

#include "engine/serve/completion.h"

namespace engine::fields {
namespace {

using nlohmann::json;

// Whether `value` is an integer of that range. A number past int64 is no signed integer.
bool IsInteger(const json& value, std::int64_t least, std::int64_t most) {
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
           value.get<std::int64_t>() >= least;
  }
  return value.is_number_integer() && value.get<std::int64_t>() >= least &&
         value.get<std::int64_t>() <= most;
}

}  // namespace

void Refuse(const std::string& field, const std::string& why) {
  throw ApiError(400, field + ": " + why, field);
}

std::string Shown(const json& value) {
  constexpr std::size_t kMost = 40;
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

const json* Find(const json& root, const std::string& field) {
  const auto at = root.find(field);
  return at == root.end() || at->is_null() ? nullptr : &*at;
}

bool Bool(const json& root, const std::string& field) {
  const json* const value = Find(root, field);
  if (value == nullptr) {
    return false;
  }
  if (!value->is_boolean()) {
    Refuse(field, "expected true or false, got " + Shown(*value));
  }
  return value->get<bool>();
}

std::int64_t Integer(const json& root, const std::string& field, std::int64_t otherwise,
                     std::int64_t least, std::int64_t most) {
  const json* const value = Find(root, field);
  if (value == nullptr) {
    return otherwise;
  }
  if (!IsInteger(*value, least, most)) {
    Refuse(field, "expected an integer from " + std::to_string(least) + " to " +
                      std::to_string(most) + ", got " + Shown(*value));
  }
  return value->get<std::int64_t>();
}

float Number(const json& root, const std::string& field, float otherwise, double least, double most,
             const std::string& expected) {
  const json* const value = Find(root, field);
  if (value == nullptr) {
    return otherwise;
  }
  if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most)) {
    Refuse(field, "expected " + expected + ", got " + Shown(*value));
  }
  return value->get<float>();
}

std::vector<std::int32_t> Ids(const json& list, const std::string& field, std::int64_t vocab) {
  std::vector<std::int32_t> ids;
  for (const json& id : list) {
    if (!IsInteger(id, 0, vocab - 1)) {
      Refuse(field, "position " + std::to_string(ids.size()) + ": expected a token id from 0 to " +
                        std::to_string(vocab - 1) + ", got " + Shown(id));
    }
    ids.push_back(id.get<std::int32_t>());
  }
  return ids;
}

}  // namespace engine::fields
