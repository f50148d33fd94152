// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/mapped_files.h"

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace perfgate::measure {
namespace {

bool IsKept(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;  // [heap], anonymous
  if (path.starts_with("/dev/") || path.starts_with("/memfd:") || path.starts_with("/SYSV")) {
    return false;
  }
  if (path.ends_with(" (deleted)")) return false;
  return path.find("/libperfgate_") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> MappedFiles(std::string_view maps) {
  std::set<std::string> files;
  std::istringstream lines{std::string(maps)};
  for (std::string line; std::getline(lines, line);) {
    // "7f0c-7f0d r-xp 00000000 08:01 1234      /usr/lib/libc.so.6": five fields, then the path,
    // which may have blanks.
    std::istringstream fields(line);
    std::string skipped;
    for (int i = 0; i < 5; ++i) fields >> skipped;
    std::string path;
    std::getline(fields >> std::ws, path);
    if (IsKept(path)) files.insert(path);
  }
  return {files.begin(), files.end()};
}

std::vector<std::string> MappedFilesOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  return MappedFiles(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace perfgate::measure
