// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/study_files.h"

#include <algorithm>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/published/studies/result_fields.h"

namespace perfgate::published {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 12;
constexpr std::size_t kMostEntries = 200'000;
constexpr std::string_view kCombinedName = "benchmark_result.json";

bool TakeEnd(std::string_view& text, std::string_view end) {
  if (text.size() <= end.size() || !text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// Folders above a file that say that it is a rerun.
bool NamesReruns(const std::string& folder) {
  return folder.find("rerun") != std::string::npos || folder == "docker";
}

struct Place {
  fs::path path;
  std::string parent;
  bool reruns = false;
};

std::optional<StudyFile> FileByName(const Place& place) {
  const std::string name = place.path.filename().string();
  StudyFile file;
  file.on_disk = place.path.string();
  file.path = VisibleText(file.on_disk);
  std::string_view stem = name;
  if (name == kCombinedName) {
    const auto id = CommitId(place.parent);
    if (!id) return std::nullopt;
    file.id = *id;
    file.layout = place.reruns ? Layout::kReruns : Layout::kCombined;
    return file;
  }
  if (!TakeEnd(stem, ".json")) return std::nullopt;
  const bool rerun = TakeEnd(stem, "_rerun");
  const bool result = !rerun && TakeEnd(stem, "_result");
  for (const Arm arm : kAllArms) {
    if ((rerun || result) && TakeEnd(stem, "_" + std::string(name_of(arm)))) {
      file.arm = arm;
      break;
    }
  }
  const bool any_arm = rerun || (place.reruns && IsHash(stem));
  for (const Arm arm : kAllArms) {
    if (any_arm && !file.arm && place.parent == name_of(arm)) file.arm = arm;
  }
  const auto id = CommitId(stem);
  if (!id || (!file.arm && !any_arm)) return std::nullopt;
  file.id = *id;
  file.layout = rerun || place.reruns ? Layout::kReruns : Layout::kArmFiles;
  return file;
}

void Walk(const Place& folder, int depth, StudyFiles& found) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator i(folder.path, error), end; !error && i != end; i.increment(error)) {
    entries.push_back(i->path());
    if (entries.size() + found.Count() > kMostEntries) {
      throw Error(Exit::kData, VisibleText(folder.path.string()) + ": more than " +
                                   std::to_string(kMostEntries) +
                                   " entries; name the folder of the results itself");
    }
  }
  if (error || depth > kDeepest) {
    found.lost.push_back({VisibleText(folder.path.string()),
                          error ? error.message() + "; check the permissions of the folder"
                                : "the folders are nested too deep; name an inner one"});
    return;
  }
  std::sort(entries.begin(), entries.end());
  const std::string name = folder.path.filename().string();
  for (const fs::path& path : entries) {
    const Place place = {path, name, folder.reruns};
    if (auto file = FileByName(place)) {
      found.files.push_back(std::move(*file));
      continue;
    }
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) {
      const std::string own = path.filename().string();
      Walk({path, own, folder.reruns || NamesReruns(own)}, depth + 1, found);
    } else if (fs::is_symlink(status) && IsHash(path.filename().string())) {
      found.lost.push_back({VisibleText(path.string()),
                            "it is a symbolic link in the place of a commit's folder; links to "
                            "folders are not followed"});
    } else {
      found.ignored.push_back(VisibleText(path.string()));
    }
  }
}

}  // namespace

StudyFiles ListStudyFiles(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  StudyFiles found;
  Walk({path, path.parent_path().filename().string(), NamesReruns(path.filename().string())}, 0,
       found);
  return found;
}

}  // namespace perfgate::published
