// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/private_folder.h"

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/io/held_folder.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::inline base {
namespace {

// Once in a process: measuring makes such folders often.
void RemoveAbandonedOnce(const std::string& parent, const std::string& prefix) {
  static std::mutex mutex;
  static std::set<std::string> done;
  const std::lock_guard lock(mutex);
  if (done.insert(parent + "/" + prefix).second) RemoveAbandoned(parent, prefix);
}

}  // namespace

PrivateFolder::PrivateFolder(const std::string& prefix) {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) parent = "/tmp";
  // Older versions of perfgate hold no lock on theirs.
  const std::string held = prefix + "held-";
  RemoveAbandonedOnce(parent.string(), held);
  HeldFolder folder = MakeHeldFolder(parent.string(), held);
  path_ = std::move(folder.path);
  lock_ = std::move(folder.lock);
  if (path_.empty()) {
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
