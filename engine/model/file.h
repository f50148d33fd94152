// SPDX-License-Identifier: Apache-2.0
// file.h: a regular file, open for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace engine {

// Opened without waiting: a pipe or device in place of a file is refused, not waited for. Throws
// Error(kData) with the system's reason.
class File {
 public:
  explicit File(const std::string& path);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return fd_; }
  std::uint64_t size() const { return size_; }  // when it was opened

  // Fills `out` with the bytes from `offset` on; fewer, where the file ends. Returns how many.
  std::size_t ReadAt(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace engine
