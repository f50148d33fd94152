// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/hex.h"

#include <fmt/format.h>

namespace perfgate::inline base {

std::string Hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string HexBytes(std::span<const unsigned char> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::string EscapedByte(char byte) {
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

bool IsHex(std::string_view text, std::size_t count) {
  return text.size() == count &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace perfgate::inline base
