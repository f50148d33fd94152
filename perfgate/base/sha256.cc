// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <span>

#include "perfgate/base/error.h"
#include "perfgate/base/text/hex.h"

namespace perfgate::inline base {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(Exit::kInternal, "SHA-256 is not available from libcrypto");
  }
  return HexBytes(std::span(digest).first(size));
}

std::string sha256_digest(std::string_view bytes) { return "sha256:" + sha256_hex(bytes); }

}  // namespace perfgate::inline base
