// SPDX-License-Identifier: Apache-2.0
#include "engine/model/config_keys.h"

#include "engine/error.h"

namespace engine {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxSize = std::int64_t{1} << 24;

}  // namespace

void ConfigKeys::Fail(const std::string& key, const std::string& what) const {
  FailData(where_, "" + key + " " + what);
}

void ConfigKeys::FailType(const std::string& key, const std::string& expected) const {
  Fail(key, "is " + Find(key)->dump() + ", expected " + expected);
}

const json* ConfigKeys::Find(const std::string& key) const {
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const json& ConfigKeys::Required(const std::string& key) const {
  const json* const value = Find(key);
  if (value == nullptr) {
    Fail(key, "is missing");
  }
  return *value;
}

std::int64_t ConfigKeys::Size(const std::string& key) const {
  const json& value = Required(key);
  if (!value.is_number_integer() || value < 1 || value > kMaxSize) {
    FailType(key, "an integer from 1 to " + std::to_string(kMaxSize));
  }
  return value.get<std::int64_t>();
}

std::int64_t ConfigKeys::Size(const std::string& key, std::int64_t otherwise) const {
  return Find(key) == nullptr ? otherwise : Size(key);
}

double ConfigKeys::Positive(const std::string& key) const {
  const json& value = Required(key);
  if (!value.is_number() || !(value.get<double>() > 0)) {
    FailType(key, "a number above 0");
  }
  return value.get<double>();
}

double ConfigKeys::Between(const std::string& key, double least, double most) const {
  const double value = Positive(key);
  if (!(value >= least && value <= most)) {
    FailType(key, "a number from " + json(least).dump() + " to " + json(most).dump());
  }
  return value;
}

bool ConfigKeys::Flag(const std::string& key, bool otherwise) const {
  const json* const value = Find(key);
  if (value != nullptr && !value->is_boolean()) {
    FailType(key, "true or false");
  }
  return value == nullptr ? otherwise : value->get<bool>();
}

std::string ConfigKeys::Text(const std::string& key) const {
  const json* const value = Find(key);
  if (value != nullptr && !value->is_string()) {
    FailType(key, "text");
  }
  return value == nullptr ? "" : value->get<std::string>();
}

}  // namespace engine
