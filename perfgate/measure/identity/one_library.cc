// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/identity/one_library.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

bool IsInside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool IsBuildFolder(const fs::path& folder) {
  constexpr std::array<std::string_view, 5> kMarks = {"CMakeCache.txt", "build.ninja", "meson-info",
                                                      "Makefile", "WORKSPACE"};
  std::error_code error;
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return fs::exists(folder / mark, error); });
}

// Empty where there is none that the other executable is not in as well.
fs::path BuildOf(const fs::path& executable, const fs::path& other) {
  const fs::path own = executable.parent_path();
  for (fs::path folder = own; !IsInside(other, folder); folder = folder.parent_path()) {
    if (IsBuildFolder(folder)) return folder;
  }
  const fs::path above = own.parent_path();
  if (own.filename() == "bin" && !IsInside(other, above)) return above;
  return IsInside(other, own) ? fs::path() : own;
}

bool IsInstalled(const fs::path& library) {
  return IsInside(library, "/usr") || IsInside(library, "/opt") || IsInside(library, "/lib") ||
         IsInside(library, "/lib64");
}

std::vector<fs::path> RealPaths(const std::vector<std::string>& paths) {
  std::vector<fs::path> real;
  for (const std::string& path : paths) {
    std::error_code error;
    fs::path canonical = fs::canonical(path, error);
    if (!error) real.push_back(std::move(canonical));
  }
  return real;
}

// Whether an entry of a variable's list is the library or its folder.
bool IsListed(const char* variable, const fs::path& library, const char* separators) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return false;
  std::string list = value;
  std::replace_if(
      list.begin(), list.end(),
      [&](char c) { return std::string_view(separators).find(c) != std::string_view::npos; }, '\n');
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry);) {
    std::error_code error;
    const fs::path place = fs::canonical(entry.empty() ? "." : entry, error);
    if (!error && (place == library || place == library.parent_path())) return true;
  }
  return false;
}

std::string Culprit(const fs::path& library, const std::string& misled) {
  if (IsListed("LD_PRELOAD", library, ": ")) return "LD_PRELOAD sends both there; unset it";
  if (IsListed("LD_LIBRARY_PATH", library, ":;")) {
    return "LD_LIBRARY_PATH sends both there; unset it, or link with run paths from $ORIGIN";
  }
  return "the run path in " + misled + " sends it there; link with run paths from $ORIGIN";
}

}  // namespace

std::optional<std::string> OneLibraryForBoth(const Executable& baseline,
                                             const Executable& candidate) {
  std::error_code error;
  const fs::path first = fs::canonical(baseline.path, error);
  const fs::path second = fs::canonical(candidate.path, error);
  if (error || first == second) return std::nullopt;
  const std::vector<fs::path> theirs = RealPaths(candidate.libraries);
  const fs::path first_build = BuildOf(first, second);
  const fs::path second_build = BuildOf(second, first);
  for (const fs::path& library : RealPaths(baseline.libraries)) {
    if (IsInstalled(library) || std::find(theirs.begin(), theirs.end(), library) == theirs.end()) {
      continue;
    }
    const bool in_first = !first_build.empty() && IsInside(library, first_build);
    const bool in_second = !second_build.empty() && IsInside(library, second_build);
    if (!in_first && !in_second) continue;
    return "both executables load " + library.string() + ", which belongs to the build of the " +
           (in_first ? "baseline" : "candidate") + ": " +
           Culprit(library, in_first ? candidate.path : baseline.path);
  }
  return std::nullopt;
}

}  // namespace perfgate::measure
