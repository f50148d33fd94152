// SPDX-License-Identifier: Apache-2.0
// hmac.h: proofs that a text comes from somebody who has the key (HMAC-SHA256, RFC 2104).
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline base {

// 64 lower-case hexadecimal digits.
std::string HmacSha256Hex(std::string_view key, std::string_view bytes);

// Whether two proofs are equal, in a time that does not tell where they differ.
bool SameProof(std::string_view one, std::string_view other);

}  // namespace perfgate::inline base
