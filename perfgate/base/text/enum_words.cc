// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline base {

std::string join_words(std::span<const std::string_view> words) {
  std::string joined;
  for (const std::string_view word : words) {
    if (!joined.empty()) joined += ", ";
    joined += word;
  }
  return joined;
}

}  // namespace perfgate::inline base
