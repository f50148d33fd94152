// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/key_file.h"

#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfgate/base/error.h"
#include "perfgate/base/hmac.h"
#include "perfgate/base/io/input_file.h"

namespace perfgate::inline base {
namespace {

constexpr std::size_t kFewestKeyBytes = 16;
constexpr std::uint64_t kMostKeyBytes = 4096;
constexpr InputKind kKeyFile = {"key file", kMostKeyBytes, LastLink::kRefused};

void RequirePrivate(const std::string& path, const struct stat& info) {
  if (info.st_uid != ::geteuid() && info.st_uid != 0) {
    throw Error(Exit::kUsage, path + ": the key file belongs to user " +
                                  std::to_string(info.st_uid) +
                                  ", who can change it: chown it to the user that runs perfgate");
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Error(Exit::kUsage,
                path + ": the key file is open to its group or to others: chmod 600 " + path);
  }
}

}  // namespace

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::string SecretKey::Sign(std::string_view text) const {
  return std::string(kProofPrefix) + HmacSha256Hex(bytes_, text);
}

bool SecretKey::HasSigned(std::string_view text, std::string_view proof) const {
  return SameProof(Sign(text), proof);
}

SecretKey ReadKeyFile(const std::string& path) {
  const InputFile file(path, kKeyFile);
  struct stat info = {};
  if (::fstat(file.descriptor(), &info) != 0) {
    throw Error(Exit::kData, path + ": the key file cannot be examined");
  }
  RequirePrivate(path, info);
  std::string bytes = file.Text();
  if (bytes.size() < kFewestKeyBytes) {
    throw Error(Exit::kData, path + ": a key has at least " + std::to_string(kFewestKeyBytes) +
                                 " bytes, and this file has " + std::to_string(bytes.size()) +
                                 "; make one with `head -c 32 /dev/urandom > FILE`");
  }
  return SecretKey(std::move(bytes));
}

}  // namespace perfgate::inline base
