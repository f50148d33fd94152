// SPDX-License-Identifier: Apache-2.0
// atomic_file.h: a file that is there whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace engine {

// Collects bytes in a temporary file beside `path`; Commit() flushes it to disk and renames it over
// `path`. Without Commit() the temporary file is removed and `path` stays as it was. Throws
// Error(kData) with the step and the system's reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void Write(std::span<const std::byte> bytes);
  void Commit();

 private:
  [[noreturn]] void Fail(const char* step) const;

  std::string path_, temporary_;
  int fd_ = -1;
};

void WriteFile(const std::string& path, std::string_view text);

}  // namespace engine
