// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/hmac.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <span>

#include "perfgate/base/error.h"
#include "perfgate/base/text/hex.h"

namespace perfgate::inline base {

std::string HmacSha256Hex(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const auto* begin = reinterpret_cast<const unsigned char*>(bytes.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), begin, bytes.size(),
           digest.data(), &size) == nullptr) {
    throw Error(Exit::kInternal, "HMAC-SHA256 is not available from libcrypto");
  }
  return HexBytes(std::span(digest).first(size));
}

bool SameProof(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace perfgate::inline base
