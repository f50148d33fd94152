// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/path_slots.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& what, const std::string& why) {
  throw Error(Exit::kData,
              "cannot " + what + ": " + why + "; set TMPDIR to a folder that you may write to");
}

}  // namespace

PathSlots::PathSlots(const std::vector<std::string>& executables) : folder_("perfgate-arms-") {
  for (const std::string& executable : executables) {
    const std::string name = fs::path(executable).filename().string();
    if (count_++ == 0) name_ = name;
    if (name != name_) name_ = "bench";
  }
  try {
    for (int slot = 0; slot < count_; ++slot) {
      // Numbers of one length however many slots there are.
      fs::create_directory(folder_.file(std::to_string(1000 + slot)));
      Point(slot, executables[static_cast<std::size_t>(slot)]);
    }
  } catch (const std::exception& error) {
    cannot("write to " + folder(), error.what());
  }
}

std::string PathSlots::Point(int slot, const std::string& executable) const {
  if (slot < 0 || slot >= count_) throw std::logic_error("PathSlots: no such slot");
  const std::string target = fs::absolute(executable).string();
  std::string link = folder_.file(std::to_string(1000 + slot)) + "/" + name_;
  const std::string fresh = link + ".new";
  ::unlink(fresh.c_str());
  if (::symlink(target.c_str(), fresh.c_str()) != 0 || ::rename(fresh.c_str(), link.c_str()) != 0) {
    cannot("point " + link + " at an executable", SystemReason(errno));
  }
  return link;
}

}  // namespace perfgate::measure
