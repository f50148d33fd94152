// SPDX-License-Identifier: Apache-2.0
#include "engine/model/rope_config.h"

namespace engine {
namespace {

using nlohmann::json;

// Far beyond any model: 500000 and 1e6 are thetas of today, 32 is a factor.
constexpr double kMaxTheta = 1e12, kMaxFactor = 65536;

RopeConfig::Llama3 ReadLlama3(const ConfigKeys& keys) {
  RopeConfig::Llama3 scaling;
  scaling.factor = keys.Between("factor", 1, kMaxFactor);
  scaling.low_freq_factor = keys.Between("low_freq_factor", 1 / kMaxFactor, kMaxFactor);
  scaling.high_freq_factor = keys.Between("high_freq_factor", 1 / kMaxFactor, kMaxFactor);
  scaling.original_max_position = keys.Size("original_max_position_embeddings");
  if (scaling.high_freq_factor <= scaling.low_freq_factor) {
    keys.Fail("high_freq_factor", "is not above low_freq_factor");
  }
  return scaling;
}

// What is called rope_parameters (version 5) or rope_scaling (version 4), which is `object`, and
// beside it a rope_theta in `keys`.
RopeConfig ReadRopeObject(const ConfigKeys& keys, const std::string& name, const json& object,
                          const std::string& where, std::vector<std::string>& notes) {
  RopeConfig rope;
  if (!object.is_object()) {
    keys.Fail(name, "is not an object");
  }
  const ConfigKeys inner(object, where + ": " + name);
  if (inner.Find("rope_theta") != nullptr) {
    rope.theta = inner.Between("rope_theta", 1, kMaxTheta);
  } else if (keys.Find("rope_theta") != nullptr) {
    rope.theta = keys.Between("rope_theta", 1, kMaxTheta);
  } else {
    notes.push_back("rope_theta is not given: 10000");
  }
  const std::string key = inner.Find("rope_type") != nullptr ? "rope_type" : "type";
  const std::string type = inner.Text(key);
  if (type == "llama3") {
    rope.llama3 = ReadLlama3(inner);
  } else if (type.empty() && name == "rope_scaling" && !object.empty()) {
    inner.Fail("rope_type", "is missing");
  } else if (!type.empty() && type != "default") {
    inner.Fail(key, "is \"" + type + "\", expected \"default\" or \"llama3\"");
  }
  RefusePartialRotation(inner);
  for (const char* nested : {"full_attention", "sliding_attention"}) {
    if (inner.Find(nested) != nullptr) {
      inner.Fail(nested, "is there: rotation that differs by layer is not implemented");
    }
  }
  return rope;
}

}  // namespace

void RefusePartialRotation(const ConfigKeys& keys) {
  if (keys.Find("partial_rotary_factor") != nullptr &&
      keys.Positive("partial_rotary_factor") != 1) {
    keys.Fail("partial_rotary_factor", "is not 1: partial rotation is not implemented");
  }
}

RopeConfig ReadRope(const ConfigKeys& keys, const std::string& where,
                    std::vector<std::string>& notes) {
  static const json kNone = json::object();
  const json* const v5 = keys.Find("rope_parameters");
  const json* const v4 = keys.Find("rope_scaling");
  const auto read = [&](const char* name, const json* object) {
    return ReadRopeObject(keys, name, object == nullptr ? kNone : *object, where, notes);
  };
  if (v5 == nullptr) {
    return read("rope_scaling", v4);
  }
  const RopeConfig rope = read("rope_parameters", v5);
  if (v4 != nullptr) {
    const RopeConfig other = read("rope_scaling", v4);
    const bool own_theta = ConfigKeys(*v4, where).Find("rope_theta") != nullptr;
    if (rope.llama3 != other.llama3 || (own_theta && rope.theta != other.theta)) {
      keys.Fail("rope_parameters", "differs from rope_scaling: remove the one that is not meant");
    }
  }
  return rope;
}

}  // namespace engine
