// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/overlay.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

// Relative to the folder and in order, so that a folder stands before its files.
std::vector<fs::path> EntriesOf(const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw Error(Exit::kData, "overlay: " + folder + " is no folder");
  }
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::file_type type = entry.symlink_status().type();
    if (type != fs::file_type::regular && type != fs::file_type::directory &&
        type != fs::file_type::symlink) {
      throw Error(Exit::kData, "overlay: " + entry.path().string() +
                                   " is no file, folder or symbolic link; remove it");
    }
    entries.push_back(entry.path().lexically_relative(folder));
  }
  if (entries.empty()) throw Error(Exit::kData, "overlay: " + folder + " is empty");
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool IsExecutable(const fs::path& path) {
  return (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

// One line, the name at its end.
std::string EntryLine(const fs::path& path, const std::string& name) {
  if (fs::is_symlink(path)) {
    return "link " + sha256_hex(fs::read_symlink(path).string()) + " " + name + "\n";
  }
  if (fs::is_directory(path)) return "folder " + name + "\n";
  return std::string(IsExecutable(path) ? "program " : "file ") +
         sha256_hex(read_file_text(path.string())) + " " + name + "\n";
}

void Place(const fs::path& from, const fs::path& to) {
  const fs::file_type there = fs::symlink_status(to).type();
  if (fs::is_directory(fs::symlink_status(from))) {
    if (there == fs::file_type::directory) return;
    fs::remove(to);
    fs::create_directory(to);
    return;
  }
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::copy_symlinks);
}

[[noreturn]] void Rethrow(const fs::filesystem_error& error) {
  throw Error(Exit::kData, std::string("overlay: ") + error.what());
}

}  // namespace

std::string DigestOfOverlay(const std::string& folder) {
  try {
    std::string lines;
    for (const fs::path& name : EntriesOf(folder)) {
      lines += EntryLine(fs::path(folder) / name, name.string());
    }
    return sha256_digest(lines);
  } catch (const fs::filesystem_error& error) {
    Rethrow(error);
  }
}

void LayOver(const std::string& folder, const std::string& tree) {
  try {
    for (const fs::path& name : EntriesOf(folder)) {
      Place(fs::path(folder) / name, fs::path(tree) / name);
    }
  } catch (const fs::filesystem_error& error) {
    Rethrow(error);
  }
}

}  // namespace perfgate::study
