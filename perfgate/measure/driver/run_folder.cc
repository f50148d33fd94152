// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/run_folder.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "perfgate/base/io/held_folder.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "perfgate-run-";

bool has_room(const fs::path& folder, std::uint64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available >= bytes;
}

}  // namespace

RunFolder::RunFolder(std::uint64_t room) {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  // Before the room is looked at: what killed runs left takes some.
  RemoveAbandoned(memory.string(), kPrefix);
  if (!temporary.empty()) RemoveAbandoned(temporary.string(), kPrefix);
  std::vector<fs::path> bases;
  if (has_room(memory, room)) bases.push_back(memory);
  if (!temporary.empty()) bases.push_back(temporary);
  for (const fs::path& base : bases) {
    HeldFolder folder = MakeHeldFolder(base.string(), kPrefix);
    if (folder.path.empty()) continue;
    path_ = std::move(folder.path);
    lock_ = std::move(folder.lock);
    return;
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string RunFolder::of(const std::string& digest) {
  if (path_.empty() || digest.empty()) return {};
  auto known = std::find(digests_.begin(), digests_.end(), digest);
  if (known == digests_.end()) known = digests_.insert(known, digest);
  const std::string folder = path_ + "/" + std::to_string(1000 + (known - digests_.begin()));
  std::error_code error;
  fs::create_directory(folder, error);
  return error ? std::string() : folder;
}

}  // namespace perfgate::measure
