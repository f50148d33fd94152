// SPDX-License-Identifier: Apache-2.0
// key_file.h: the secret that signs evidence, from a file that only its owner can read.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline base {

// The bytes of a key. They leave this object only as proofs.
class SecretKey {
 public:
  explicit SecretKey(std::string bytes) : bytes_(std::move(bytes)) {}
  ~SecretKey();
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;

  // "hmac-sha256:<hex>" of the text.
  std::string Sign(std::string_view text) const;
  bool HasSigned(std::string_view text, std::string_view proof) const;

 private:
  std::string bytes_;
};

// How proofs begin, unlike digests, which anybody can make.
inline constexpr std::string_view kProofPrefix = "hmac-sha256:";

// All bytes of the file are the key, a last newline too. Error(kUsage) where others than the owner
// may read it or another user owns it, Error(kData) where it is no regular file of 16 to 4096
// bytes.
SecretKey ReadKeyFile(const std::string& path);

}  // namespace perfgate::inline base
