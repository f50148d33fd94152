// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/enum_words.h"

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline base {

void refuse_word(std::string_view what, std::string_view word,
                 std::span<const std::string_view> valid) {
  throw Error(Exit::kData, "unknown " + std::string(what) + " \"" + std::string(word) +
                               "\"; valid: " + Join(valid));
}

}  // namespace perfgate::inline base
