// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::inline base {

PrivateFolder::PrivateFolder(const std::string& prefix) {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) parent = "/tmp";
  path_ = (parent / (prefix + "XXXXXX")).string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw Error(Exit::kData, "cannot make a private folder in " + parent.string() + ": " +
                                 SystemReason(errno) +
                                 "; set TMPDIR to a folder that you may write to");
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace perfgate::inline base
