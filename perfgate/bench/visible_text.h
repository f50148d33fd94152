// SPDX-License-Identifier: Apache-2.0
// visible_text.h: any bytes as valid UTF-8, for messages and the worker protocol.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::bench {

// `bytes` with every byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7: no overlong
// forms, no surrogates, nothing above U+10FFFF) replaced by the four characters \xNN, NN in lower
// case hexadecimal. Valid text, control characters included, is returned unchanged.
std::string VisibleText(std::string_view bytes);

}  // namespace perfgate::bench
