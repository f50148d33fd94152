// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/token.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "perfgate/base/error.h"
#include "perfgate/base/io/input_file.h"

namespace perfgate::ci {
namespace {

constexpr std::size_t kLongest = 4096;
constexpr InputKind kTokenFile = {"token", kLongest, LastLink::kFollowed};

std::string FromStandardInput() {
  std::string text;
  std::array<char, kLongest> bytes{};
  while (text.size() <= kLongest) {
    const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::string ReadToken(const std::string& file) {
  const std::string text = file == "-" ? FromStandardInput() : ReadInputFile(file, kTokenFile);
  constexpr const char* kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  const std::string where = file == "-" ? "--token-file -: standard input" : "--token-file " + file;
  if (begin == std::string::npos) throw Error(Exit::kUsage, where + " is empty");
  const std::string token = text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
  const bool visible =
      std::all_of(token.begin(), token.end(), [](unsigned char c) { return c > ' ' && c < 127; });
  if (!visible || token.size() > kLongest) {
    throw Error(Exit::kUsage, where + " holds no token: expected one word of visible characters");
  }
  return token;
}

}  // namespace perfgate::ci
