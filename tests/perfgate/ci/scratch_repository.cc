// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/ci/scratch_repository.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "perfgate/store/git_command.h"

namespace perfgate::ci {

ScratchRepository::ScratchRepository(const std::string& branch) : path_(folder_.file("repo")) {
  std::filesystem::create_directories(path_);
  Git({"init", "-q", "-b", branch});
}

void ScratchRepository::Write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
  std::ofstream(file(name)) << text;
}

std::string ScratchRepository::Git(std::vector<std::string> arguments) const {
  std::vector<std::string> words = {
      "-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const store::Answer answer = store::AskRepository(path_, words);
  if (!answer.ok) throw std::runtime_error("git " + arguments[0] + ": " + answer.complaint);
  return answer.out.substr(0, answer.out.find('\n'));
}

std::string ScratchRepository::Commit(const std::string& message) const {
  Git({"add", "-A"});
  Git({"commit", "-q", "--allow-empty", "-m", message});
  return Git({"rev-parse", "HEAD"});
}

}  // namespace perfgate::ci
