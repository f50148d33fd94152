// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/signature.h"

#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"

namespace perfgate::inline evidence {
namespace {

constexpr const char* kSignature = "signature";

nlohmann::json ParseObject(std::string_view text, const std::string& where) {
  nlohmann::json document = parse_strict_json(text, where);
  if (!document.is_object()) {
    throw Error(Exit::kInvalid, where + ": is no object of JSON, so it cannot be signed");
  }
  return document;
}

}  // namespace

std::string WithSignature(std::string_view text, const std::string& where, const SecretKey& key) {
  nlohmann::json document = ParseObject(text, where);
  const bool was_signed = document.erase(kSignature) > 0;
  const std::string proof = key.Sign(document.dump());
  if (was_signed || !text.ends_with("\n}\n")) {
    document[kSignature] = proof;
    return document.dump(2) + "\n";
  }
  // As perfgate's own writer lays it out.
  return std::string(text.substr(0, text.size() - 3)) + ",\n  \"signature\": \"" + proof +
         "\"\n}\n";
}

void RequireSignature(std::string_view text, const std::string& where, const SecretKey* key) {
  if (key == nullptr) return;
  nlohmann::json document = ParseObject(text, where);
  const auto found = document.find(kSignature);
  if (found == document.end() || !found->is_string()) {
    throw Error(Exit::kInvalid,
                where +
                    ": /signature: there is none, and with --key only signed files count: let "
                    "the gate write it with the key, or sign a policy with perfgate sign");
  }
  const std::string proof = *found;
  document.erase(found);
  if (!key->HasSigned(document.dump(), proof)) {
    throw Error(Exit::kInvalid,
                where +
                    ": /signature: is not that of this key: the file was changed after it was "
                    "signed, or another key signed it");
  }
}

}  // namespace perfgate::inline evidence
