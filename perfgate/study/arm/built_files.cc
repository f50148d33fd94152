// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/built_files.h"

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/measure/executable.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

// Programs and shared libraries; object files are of no use any more.
bool IsLinked(const fs::path& path) {
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  return file && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

bool ReplaceAll(std::string& bytes, const std::string& from, const std::string& to) {
  bool found = false;
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
    bytes.replace(at, from.size(), to);
    found = true;
  }
  return found;
}

}  // namespace

void MoveBuiltFiles(const std::string& tree, const std::string& place) {
  std::error_code failed;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(tree, options, failed), end; entry != end;
       entry.increment(failed)) {
    if (failed) return;
    if (!entry->is_regular_file(failed) || entry->is_symlink(failed) || !IsLinked(entry->path())) {
      continue;
    }
    std::string bytes = read_file_text(entry->path().string());
    if (!ReplaceAll(bytes, place, tree)) continue;
    // In place: other names of the file go on naming it.
    fs::permissions(entry->path(), fs::perms::owner_write, fs::perm_options::add, failed);
    std::ofstream(entry->path(), std::ios::binary | std::ios::in | std::ios::out)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
}

BuiltDigest DigestOf(const std::string& executable, const std::string& tree,
                     const std::string& place, const Wrapper& loader) {
  const measure::Executable found = measure::inspect_executable(executable, {.loader = loader});
  std::vector<std::string> files = {executable};
  files.insert(files.end(), found.libraries.begin(), found.libraries.end());
  std::string digests;
  for (const std::string& file : files) {
    std::string bytes = read_file_text(file);
    if (!tree.empty()) ReplaceAll(bytes, tree, place);
    digests += sha256_hex(bytes);
  }
  return {sha256_digest(digests), found.digest};
}

}  // namespace perfgate::study
