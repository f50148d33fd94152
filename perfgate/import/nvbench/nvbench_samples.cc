// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/nvbench/nvbench_samples.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_text.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::import {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& where, const std::string& filename,
                         const std::string& why) {
  throw Error(Exit::kInvalid, where + ": the sample file " + json_io::Quoted(filename) + " " + why);
}

// A regular file inside `folder`, or nothing where there is none.
std::optional<fs::path> find_inside(const fs::path& folder, const fs::path& relative,
                                    const std::string& where) {
  std::error_code error;
  const fs::path path = folder / relative;
  if (!fs::exists(path, error)) return std::nullopt;
  const fs::path root = fs::canonical(folder, error);
  const fs::path real = error ? fs::path() : fs::canonical(path, error);
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (error || end != root.end()) {
    refuse(where, relative.string(), "is a link that leads out of " + folder.string());
  }
  // Opening a pipe would wait for ever.
  if (!fs::is_regular_file(real, error)) refuse(where, relative.string(), "is not a regular file");
  return real;
}

float little_endian_float(const char* bytes) {
  std::uint32_t bits = 0;
  for (int i = 3; i >= 0; --i) bits = bits << 8U | static_cast<unsigned char>(bytes[i]);
  return std::bit_cast<float>(bits);
}

}  // namespace

std::vector<double> read_nvbench_samples(const std::string& folder, const std::string& filename,
                                         std::int64_t size, const std::string& where) {
  const fs::path relative(filename);
  if (filename.empty() || filename.find('\0') != std::string::npos) {
    refuse(where, "", "has no name");
  }
  if (relative.is_absolute()) {
    refuse(where, filename, "has an absolute path; a result names files beside itself");
  }
  if (std::find(relative.begin(), relative.end(), fs::path("..")) != relative.end()) {
    refuse(where, filename, "leads out of its folder; a result names files beside itself");
  }
  const fs::path root(folder.empty() ? "." : folder);
  auto found = find_inside(root, relative, where);
  if (!found && relative.has_parent_path()) {
    found = find_inside(root, relative.parent_path().filename() / relative.filename(), where);
  }
  if (!found) {
    throw Error(Exit::kData, where + ": the sample file " + json_io::Quoted(filename) +
                                 " is not in " + root.string() +
                                 "; keep the folders that end in -bin beside the result");
  }
  constexpr std::uintmax_t kBytes = 4;
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(*found, error);
  if (error || size < 0 || bytes / kBytes != static_cast<std::uintmax_t>(size) ||
      bytes % kBytes != 0) {
    refuse(where, filename,
           "has " + std::to_string(bytes) + " bytes; expected 4 for each of " +
               std::to_string(size) + " samples");
  }
  const std::string content = ReadInputFile(found->string(), kResultFile);
  if (content.size() != bytes) refuse(where, filename, "changed while it was read");
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < content.size(); i += kBytes) {
    values.push_back(static_cast<double>(little_endian_float(content.data() + i)));
  }
  return values;
}

}  // namespace perfgate::import
