// SPDX-License-Identifier: Apache-2.0
// model_names.h: whether two printed names can mean one model.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::audit {

struct ModelName {
  std::string name;  // with or without the organisation
  bool cut = false;  // by the width of a column: only a front of the name
};

inline constexpr std::string_view kOtherFamily = "two families of models for one item";

// Why the two cannot be one model, empty where they can. Lists leave out the organisation and
// endings such as "-Instruct"; families and sizes they do not.
std::string model_conflict(const ModelName& a, const ModelName& b);

}  // namespace perfgate::audit
