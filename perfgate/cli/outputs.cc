// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/outputs.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "perfgate/error.h"
#include "perfgate/evidence/atomic_file.h"

namespace perfgate::cli {

void check_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::filesystem::path target(path);
  std::filesystem::path folder = target.parent_path();
  if (folder.empty()) folder = ".";
  if (std::filesystem::is_directory(target)) {
    throw Error(Exit::kData, "cannot write " + path + ": it is a folder. Name a file in it.");
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
