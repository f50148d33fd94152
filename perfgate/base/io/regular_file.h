// SPDX-License-Identifier: Apache-2.0
// regular_file.h: reading regular files, and nothing that could block or never end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

// A regular file that is open for reading. A pipe or device in its place is refused at once instead
// of waited for. Every function throws Error(kData) with the path and the system's reason.
class RegularFile {
 public:
  explicit RegularFile(const std::string& path);

  int descriptor() const { return fd_.get(); }
  std::uint64_t size() const { return size_; }  // when it was opened

  // Fills `out` with the bytes from `offset` on; fewer, where the file ends. Returns how many.
  std::size_t ReadAt(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::string path_;
  UniqueFd fd_;
  std::uint64_t size_ = 0;
};

// The bytes of a regular file of at most `most` bytes.
std::string ReadRegularFile(const std::string& path, std::uint64_t most);

}  // namespace perfgate::inline base
