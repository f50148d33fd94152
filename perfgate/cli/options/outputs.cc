// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/outputs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"

namespace perfgate::cli {

void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::filesystem::path target(path);
  std::filesystem::path folder = target.parent_path();
  if (folder.empty()) folder = ".";
  if (std::filesystem::is_directory(target)) {
    throw Error(Exit::kData, "cannot write " + path + ": it is a folder. Name a file in it.");
  }
  if (std::filesystem::exists(target) && !std::filesystem::is_regular_file(target)) {
    if (access(path.c_str(), W_OK) == 0) return;  // a device or a pipe: written to as it is
    throw Error(Exit::kData, "cannot write " + path + ": " + std::strerror(errno));
  }
  std::string probe = (folder / ".perfgate-XXXXXX").string();
  const int fd = mkstemp(probe.data());
  if (fd < 0) {
    throw Error(Exit::kData, "cannot write " + path + ": " + std::strerror(errno) +
                                 ". Choose an existing folder that you may write to.");
  }
  close(fd);
  unlink(probe.c_str());
}

void check_outputs(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    check_writable(paths[i]);
    const bool twice = std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i),
                                 paths[i]) != paths.begin() + static_cast<std::ptrdiff_t>(i);
    if (twice && !paths[i].empty()) {
      throw Error(Exit::kUsage, paths[i] + " is named for two outputs; name one for each");
    }
  }
}

void write_output(const std::string& path, const std::string& content) {
  if (path.empty()) return;
  if (path == "-") {
    print(content);
  } else {
    write_file_atomically(path, content);
  }
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(Exit::kData,
                std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

}  // namespace perfgate::cli
