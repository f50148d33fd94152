// SPDX-License-Identifier: Apache-2.0
// request_fields.h: typed fields of a request's JSON; every refusal names the field and what it
// has.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace engine::fields {

// Throws ApiError(400): "<field>: <why>".
[[noreturn]] void Refuse(const std::string& field, const std::string& why);

// A value for messages: short, and text whatever it was.
std::string Shown(const nlohmann::json& value);

// Null when the field is not there; null values count as that.
const nlohmann::json* Find(const nlohmann::json& root, const std::string& field);

bool Bool(const nlohmann::json& root, const std::string& field);  // false where there is none
std::int64_t Integer(const nlohmann::json& root, const std::string& field, std::int64_t otherwise,
                     std::int64_t least, std::int64_t most);
float Number(const nlohmann::json& root, const std::string& field, float otherwise, double least,
             double most, const std::string& expected);

// The token ids of a list.
std::vector<std::int32_t> Ids(const nlohmann::json& list, const std::string& field,
                              std::int64_t vocab);

}  // namespace engine::fields
