// SPDX-License-Identifier: Apache-2.0
// hex.h: lower-case hexadecimal digits, as seeds, digests and escaped bytes are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace perfgate::inline base {

// Sixteen digits.
std::string Hex(std::uint64_t value);

// Two digits for each byte.
std::string HexBytes(std::span<const unsigned char> bytes);

// "\x0a": a byte that a message cannot show as it is.
std::string EscapedByte(char byte);

// Whether the text is exactly `count` lower-case digits.
bool IsHex(std::string_view text, std::size_t count);

}  // namespace perfgate::inline base
