// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/source_trees.h"

#include <filesystem>
#include <sstream>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/store/git_command.h"
#include "perfgate/study/task/repository.h"

namespace perfgate::ci {
namespace {

namespace fs = std::filesystem;
using store::Answer;
using store::AskRepository;

std::vector<std::string> SplitAtZero(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '\0');) parts.push_back(part);
  return parts;
}

bool IsCheckedOut(const fs::path& module) {
  std::error_code failed;
  return fs::exists(module / ".git", failed);
}

void SayEmpty(const std::string& path, const Say& say) {
  say("perfgate: the submodule " + path +
      " is not checked out and stays empty: git submodule update --init --recursive");
}

void CopyFile(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy(from, to, fs::copy_options::copy_symlinks | fs::copy_options::overwrite_existing);
}

// Files that decide how something is built.
bool IsBuildFile(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == "CMakeLists.txt" || path.extension() == ".cmake" || name == "Makefile" ||
         name == "makefile" || name == "GNUmakefile" || path.extension() == ".mk" ||
         name == "meson.build" || name == "meson_options.txt" || name == "BUILD" ||
         path.extension() == ".bazel" || path.extension() == ".bzl" || path.extension() == ".sh" ||
         name == "CMakePresets.json";
}

std::vector<fs::path> SourcesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (fs::is_symlink(folder, failed)) {
    throw Error(Exit::kData, folder.filename().string() + " is a link; --library names folders");
  }
  for (fs::recursive_directory_iterator entry(folder, failed), end; entry != end;
       entry.increment(failed)) {
    if (failed) break;
    const bool is_file = entry->is_regular_file(failed) && !entry->is_symlink(failed);
    if (is_file && !IsBuildFile(entry->path())) files.push_back(entry->path());
  }
  return files;
}

void RequireInside(const std::string& option, const std::string& text) {
  const fs::path path(text);
  const fs::path plain = path.lexically_normal();
  if (path.is_absolute() || plain.empty() || *plain.begin() == ".." || plain == ".") {
    throw Error(Exit::kUsage,
                option + " " + text + ": name what lies below the top of the repository");
  }
}

}  // namespace

void ExportRevision(const std::string& repo, const std::string& commit, const std::string& folder,
                    const Say& say) {
  study::ExportCommit(repo, commit, folder, folder + ".index");
  const Answer list = AskRepository(repo, {"ls-tree", "-r", "-z", "--full-tree", commit});
  constexpr std::string_view kModule = "160000 commit ";
  for (const std::string& line : SplitAtZero(list.out)) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with(kModule) || tab == std::string::npos) continue;
    const std::string path = line.substr(tab + 1);
    const fs::path module = fs::path(repo) / path;
    if (!IsCheckedOut(module)) {
      SayEmpty(path, say);
      continue;
    }
    ExportRevision(module.string(), line.substr(kModule.size(), tab - kModule.size()),
                   (fs::path(folder) / path).string(), say);
  }
}

void ExportWorkingTree(const std::string& repo, const std::string& folder, const Say& say) {
  const Answer list = AskRepository(
      repo, {"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"});
  if (!list.ok) throw Error(Exit::kData, "git cannot list the files of " + repo);
  fs::create_directories(folder);
  try {
    for (const std::string& path : SplitAtZero(list.out)) {
      const fs::path from = fs::path(repo) / path;
      const fs::file_status status = fs::symlink_status(from);
      if (fs::is_symlink(status) || fs::is_regular_file(status)) {
        CopyFile(from, fs::path(folder) / path);
      } else if (fs::is_directory(status) && IsCheckedOut(from)) {
        ExportWorkingTree(from.string(), (fs::path(folder) / path).string(), say);
      } else if (fs::is_directory(status)) {
        SayEmpty(path, say);
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw Error(Exit::kData, std::string("cannot copy the working tree: ") + error.what());
  }
}

void TakeSuite(const std::string& repo, const std::string& commit,
               const std::vector<std::string>& libraries, const std::string& folder,
               const Say& say) {
  for (const std::string& library : libraries) RequireInside("--library", library);
  const fs::path own = folder + ".own";
  fs::rename(folder, own);
  ExportRevision(repo, commit, folder, say);
  for (const std::string& library : libraries) {
    const fs::path trusted = fs::path(folder) / library;
    for (const fs::path& file : SourcesBelow(trusted)) fs::remove(file);
    for (const fs::path& file : SourcesBelow(own / library)) {
      CopyFile(file, fs::path(folder) / file.lexically_relative(own));
    }
  }
  fs::remove_all(own);
}

void ExportData(const std::string& repo, const std::string& commit,
                const std::vector<std::string>& paths, const std::string& folder, const Say& say) {
  for (const std::string& path : paths) RequireInside("--data", path);
  const std::string all = folder + ".all";
  fs::remove_all(all);
  fs::remove_all(folder);
  ExportRevision(repo, commit, all, say);
  for (const std::string& path : paths) {
    const fs::path from = fs::path(all) / path;
    if (!fs::exists(fs::symlink_status(from))) {
      throw Error(Exit::kData, "--data " + path + ": the commit " + commit + " has no such file");
    }
    const fs::path to = (fs::path(folder) / path).lexically_normal();
    fs::create_directories(to.parent_path());
    fs::rename(from, to);
  }
  fs::remove_all(all);
}

}  // namespace perfgate::ci
