// SPDX-License-Identifier: Apache-2.0
// config_keys.h: typed access to one object of a config file; every complaint names file and key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace engine {

class ConfigKeys {
 public:
  // The object outlives it.
  ConfigKeys(const nlohmann::json& object, std::string where)
      : object_(object), where_(std::move(where)) {}

  // Throws Error(kData): "<where>: <key> <what>".
  [[noreturn]] void Fail(const std::string& key, const std::string& what) const;

  // Nullptr for a key that is missing or null.
  const nlohmann::json* Find(const std::string& key) const;

  // An integer from 1 to 2^24: products of two stay far inside 64 bits.
  std::int64_t Size(const std::string& key) const;
  std::int64_t Size(const std::string& key, std::int64_t otherwise) const;

  double Positive(const std::string& key) const;
  double Between(const std::string& key, double least, double most) const;
  bool Flag(const std::string& key, bool otherwise = false) const;
  std::string Text(const std::string& key) const;  // "" where there is none

 private:
  const nlohmann::json& Required(const std::string& key) const;
  [[noreturn]] void FailType(const std::string& key, const std::string& expected) const;

  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace engine
