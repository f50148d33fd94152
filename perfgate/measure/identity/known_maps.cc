// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/known_maps.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/sha256.h"
#include "perfgate/measure/libraries.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

// Folder to the time of its last change in nanoseconds; -1: it is not there.
using Folders = std::map<std::string, std::int64_t>;

std::int64_t ChangedAt(const std::string& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return -1;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return std::int64_t{status.st_mtim.tv_sec} * kNanoseconds + status.st_mtim.tv_nsec;
}

Folders FoldersOf(const std::vector<std::string>& files) {
  Folders folders;
  for (const std::string& file : files) {
    if (is_system_library(file)) continue;
    const std::string folder = fs::path(file).parent_path().string();
    folders.try_emplace(folder, ChangedAt(folder));
  }
  return folders;
}

// The variables that decide which files the loader takes.
std::string LoaderVariables() {
  std::string text;
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES"}) {
    const char* const value = std::getenv(name);
    text += std::string(name) + "=" + (value == nullptr ? "" : value) + "\n";
  }
  return text;
}

}  // namespace

KnownMaps::KnownMaps(std::string folder, std::string filter)
    : folder_(std::move(folder)), filter_(std::move(filter)) {}

std::string KnownMaps::FileOf(const Executable& executable) const {
  std::error_code error;
  const std::string path = fs::canonical(executable.path, error).string();
  const std::string key = path + "\n" + executable.digest + "\n" + LoaderVariables() + filter_;
  return folder_ + "/" + sha256_hex(key) + ".json";
}

std::optional<std::vector<std::string>> KnownMaps::Find(const Executable& executable) const {
  if (folder_.empty()) return std::nullopt;
  try {
    const nlohmann::json known = read_strict_json(FileOf(executable));
    if (known.at("version") != 1) return std::nullopt;
    auto files = known.at("files").get<std::vector<std::string>>();
    if (known.at("folders").get<Folders>() != FoldersOf(files)) return std::nullopt;
    return files;
  } catch (const Error&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void KnownMaps::Keep(const Executable& executable, const std::vector<std::string>& files) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const nlohmann::json known = {{"format", "perfgate-mapped-files"},
                                {"version", 1},
                                {"files", files},
                                {"folders", FoldersOf(files)}};
  try {
    write_file_atomically(FileOf(executable),
                          known.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  } catch (const Error&) {
    // As the header says.
  }
}

}  // namespace perfgate::measure
