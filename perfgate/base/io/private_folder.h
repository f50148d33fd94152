// SPDX-License-Identifier: Apache-2.0
// private_folder.h: a new folder that only this user may enter, gone with its owner; what a killed
// owner left is removed by the next that makes one of the same prefix.
#pragma once

#include <string>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

class PrivateFolder {
 public:
  // In TMPDIR or /tmp. Error(kData) when none can be made.
  explicit PrivateFolder(const std::string& prefix);
  ~PrivateFolder();  // removes it and what it holds
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  UniqueFd lock_;
};

}  // namespace perfgate::inline base
