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

constexpr const char* kLayouts = "layouts";
constexpr const char* kLayoutsManifest = "layouts.json";

// "sha256:<hex>" to the folder of that name. Digests come from files, so they are checked.
fs::path entry(const std::string& folder, const std::string& digest) {
  constexpr std::string_view kPrefix = "sha256:";
  const std::string hex = digest.starts_with(kPrefix) ? digest.substr(kPrefix.size()) : "";
  constexpr std::size_t kDigits = 64;
  if (!IsHex(hex, kDigits))
    throw Error(Exit::kInvalid, "\"" + digest + "\" is no digest of an executable");
  return fs::path(folder) / hex;
}

void CopyFile(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (error) {
    throw Error(Exit::kData, to.parent_path().string() + ": cannot be created: " + error.message());
  }
  write_file_atomically(to.string(), read_file_text(from.string()));
  fs::permissions(to, fs::status(from).permissions(), error);
  if (error) throw Error(Exit::kData, to.string() + ": permissions: " + error.message());
}

// The deepest folder that all of these lie in. They are absolute.
fs::path CommonFolder(const std::vector<fs::path>& files) {
  fs::path common = files.front().parent_path();
  for (const fs::path& file : files) {
    fs::path shared;
    auto mine = common.begin();
    for (auto theirs = file.begin(); mine != common.end() && theirs != file.end();
         ++theirs, ++mine) {
      if (*mine != *theirs) break;
      shared /= *mine;
    }
    common = shared;
  }
  return common;
}

// Copies them below `place`/tree; returns where the first one lies, from `place`.
fs::path CopyTree(const std::vector<fs::path>& files, const fs::path& place) {
  const fs::path common = CommonFolder(files);
  for (const fs::path& file : files) {
    CopyFile(file, place / "tree" / file.lexically_relative(common));
  }
  return fs::path("tree") / files.front().lexically_relative(common);
}

// A symbolic link under a name that may already be one.
void LinkTo(const fs::path& target, const fs::path& link) {
  const fs::path fresh = link.string() + ".tmp-link";
  std::error_code error;
  fs::remove(fresh, error);
  fs::create_symlink(target, fresh, error);
  if (!error) fs::rename(fresh, link, error);
  if (error) throw Error(Exit::kData, link.string() + ": cannot be linked: " + error.message());
}

}  // namespace

void cache_executable(const std::string& folder, const std::string& digest, const std::string& path,
                      const std::vector<std::string>& libraries) {
  const fs::path place = entry(folder, digest);
  const fs::path file = place / fs::path(path).filename();
  std::error_code error;
  // Earlier releases kept the executable without its libraries.
  const bool is_whole = libraries.empty() || fs::is_symlink(file, error);
  if (is_whole && fs::exists(file, error)) return;
  if (libraries.empty()) {
    CopyFile(path, file);
    return;
  }
  // $ORIGIN is the folder of the file itself, whatever link it was named by.
  std::vector<fs::path> files = {fs::canonical(path)};
  for (const std::string& library : libraries) {
    files.push_back(fs::path(library).lexically_normal());
  }
  LinkTo(CopyTree(files, place), file);
}

void cache_layouts(const std::string& folder, const std::string& digest, const std::string& path) {
  const fs::path place = entry(folder, digest) / kLayouts;
  std::error_code error;
  if (fs::exists(place / kLayoutsManifest, error)) return;
  for (const auto& file : fs::recursive_directory_iterator(path)) {
    if (!file.is_regular_file() || file.path().filename() == kLayoutsManifest) continue;
    CopyFile(file.path(), place / file.path().lexically_relative(path));
  }
  CopyFile(fs::path(path) / kLayoutsManifest, place / kLayoutsManifest);
}

std::optional<std::string> cached_executable(const std::string& folder, const std::string& digest) {
  std::error_code error;
  const fs::path layouts = entry(folder, digest) / kLayouts;
  if (fs::exists(layouts / kLayoutsManifest, error)) return layouts.string();
  for (const auto& file : fs::directory_iterator(entry(folder, digest), error)) {
    const bool temporary = file.path().filename().string().find(".tmp-") != std::string::npos;
    if (temporary || !file.is_regular_file(error)) continue;
    const fs::path own = fs::canonical(file.path(), error);
    if (!error) return own.string();
  }
  return std::nullopt;
}

}  // namespace perfgate::store
