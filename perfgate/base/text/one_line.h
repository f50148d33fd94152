// SPDX-License-Identifier: Apache-2.0
// one_line.h: what arms print, made fit for one line of a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfgate::inline base {

// `text` on one line: line ends as " | ", other control characters and bytes that are not UTF-8 as
// \xNN, at most about `limit` bytes, of which the last ones are kept behind "...".
std::string one_line_tail(std::string_view text, std::size_t limit);

// `text`, with `; last output: <tail>` behind it when there is a tail.
std::string with_tail(std::string text, const std::string& tail);

}  // namespace perfgate::inline base
