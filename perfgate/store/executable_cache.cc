// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/executable_cache.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/text/hex.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

// "sha256:<hex>" to the folder of that name. Digests come from files, so they are checked.
fs::path entry(const std::string& folder, const std::string& digest) {
  constexpr std::string_view kPrefix = "sha256:";
  const std::string hex = digest.starts_with(kPrefix) ? digest.substr(kPrefix.size()) : "";
  constexpr std::size_t kDigits = 64;
  if (!IsHex(hex, kDigits))
    throw Error(Exit::kInvalid, "\"" + digest + "\" is no digest of an executable");
  return fs::path(folder) / hex;
}

}  // namespace

void cache_executable(const std::string& folder, const std::string& digest,
                      const std::string& path) {
  const fs::path place = entry(folder, digest);
  const fs::path file = place / fs::path(path).filename();
  std::error_code error;
  if (fs::exists(file, error)) return;
  fs::create_directories(place, error);
  if (error) throw Error(Exit::kData, place.string() + ": cannot be created: " + error.message());
  write_file_atomically(file.string(), read_file_text(path));
  fs::permissions(file, fs::status(path).permissions(), error);
  if (error) throw Error(Exit::kData, file.string() + ": permissions: " + error.message());
}

std::optional<std::string> cached_executable(const std::string& folder, const std::string& digest) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(entry(folder, digest), error)) {
    const bool temporary = file.path().filename().string().find(".tmp-") != std::string::npos;
    if (!temporary && file.is_regular_file(error)) return file.path().string();
  }
  return std::nullopt;
}

}  // namespace perfgate::store
