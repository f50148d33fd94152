// SPDX-License-Identifier: Apache-2.0
// sha256.h: digests of files, sessions and chains.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline base {

// 64 lower-case hexadecimal digits (FIPS 180-4).
std::string sha256_hex(std::string_view bytes);

// "sha256:<hex>", as digests are written in files.
std::string sha256_digest(std::string_view bytes);

}  // namespace perfgate::inline base
