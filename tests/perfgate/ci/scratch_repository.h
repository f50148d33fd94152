// SPDX-License-Identifier: Apache-2.0
// scratch_repository.h: a repository of git for one test, with nobody's settings.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/io/private_folder.h"

namespace perfgate::ci {

class ScratchRepository {
 public:
  explicit ScratchRepository(const std::string& branch = "main");

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) const;
  std::string Commit(const std::string& message) const;  // of everything; its full id
  std::string Git(std::vector<std::string> arguments) const;

 private:
  PrivateFolder folder_{"perfgate-ci-test-"};
  std::string path_;
};

}  // namespace perfgate::ci
