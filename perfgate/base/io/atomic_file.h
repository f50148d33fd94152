// SPDX-License-Identifier: Apache-2.0
// atomic_file.h: writes that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace perfgate::inline base {

// Writes to a temporary file beside `path`, flushes it to disk and renames it over `path`. On any
// failure (read-only folder, disk full) removes the temporary file and throws Error(kData) with the
// path, the system's reason and what to do; what stood at `path` before stays as it was.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace perfgate::inline base
