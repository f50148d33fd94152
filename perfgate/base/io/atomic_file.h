// SPDX-License-Identifier: Apache-2.0
// atomic_file.h: writes that are there whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

// Collects bytes in a temporary file beside `path`; Commit() flushes it to disk and renames it over
// `path`. Without Commit() the temporary file is removed and `path` stays as it was. Every function
// throws Error(kData) with the path, the failed step, the system's reason and what to do.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void Write(std::span<const std::byte> bytes);
  void Commit();

 private:
  std::string path_, target_;
  std::string temporary_;              // empty: a device, or after Commit()
  std::optional<mode_t> permissions_;  // of the file that is replaced
  UniqueFd fd_;
};

// All of a file at once.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace perfgate::inline base
