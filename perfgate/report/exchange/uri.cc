// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/uri.h"

#include <fmt/format.h>

#include "perfgate/base/sha256.h"

namespace perfgate::report {

std::string RelativeUri(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path) {
    const bool plain = kPlain.find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string FingerprintOf(const std::string& suite, const Finding& finding) {
  std::string text;
  for (const std::string& part : {suite, finding.case_name, finding.metric, finding.rule}) {
    text += std::to_string(part.size()) + ":" + part;
  }
  return sha256_hex(text);
}

}  // namespace perfgate::report
