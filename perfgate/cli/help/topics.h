// SPDX-License-Identifier: Apache-2.0
// topics.h: short texts of `perfgate help TOPIC` that belong to no command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::cli {

struct Topic {
  std::string_view name;
  std::string_view title;
  std::string_view text;
};

const std::vector<Topic>& Topics();

// The text of a topic; empty for a name that is none.
std::string TopicText(std::string_view name);

}  // namespace perfgate::cli
