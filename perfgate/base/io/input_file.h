// SPDX-License-Identifier: Apache-2.0
// input_file.h: files that a user names: regular ones up to a size, refused at once otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

// Whether the last element of the path may be a symbolic link.
enum class LastLink { kFollowed, kRefused };

struct InputKind {
  std::string_view name;  // "verdict", as messages call it
  std::uint64_t most;     // bytes
  LastLink last_link;
};

// A file that is open for reading. Error(kData) says what stands at the path instead: a folder, a
// named pipe, a device, a socket, a symbolic link, a file that is too large, or nothing.
class InputFile {
 public:
  InputFile(const std::string& path, const InputKind& kind);

  int descriptor() const { return fd_.get(); }
  // All bytes. Error(kData) where reading fails or the file grows beyond the limit meanwhile.
  std::string Text() const;

 private:
  std::string path_;
  InputKind kind_;
  UniqueFd fd_;
  std::uint64_t size_ = 0;
};

inline std::string ReadInputFile(const std::string& path, const InputKind& kind) {
  return InputFile(path, kind).Text();
}

// At most so many of the first bytes.
std::string ReadInputHead(const std::string& path, std::uint64_t bytes);

}  // namespace perfgate::inline base
