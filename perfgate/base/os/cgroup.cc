// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/cgroup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"

namespace perfgate::inline base {
namespace {

constexpr const char* kMembers = "/cgroup.procs";
constexpr const char* kBelow = "/cgroup.subtree_control";
constexpr double kEmptyS = 2;

// 0, or the errno. Files of the kernel take a value in one write.
int WriteValue(const std::string& file, std::string_view value) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) return errno;
  return ::write(fd.get(), value.data(), value.size()) < 0 ? errno : 0;
}

bool HasWord(const std::string& text, std::string_view word) {
  std::istringstream words(text);
  for (std::string next; words >> next;) {
    if (next == word) return true;
  }
  return false;
}

// The number after `name` in lines of "name number"; negative: there is none.
double NumberAfter(const std::string& file, std::string_view name) {
  std::istringstream lines(read_small_file(file));
  std::string key;
  for (double value = 0; lines >> key >> value;) {
    if (key == name) return value;
  }
  return -1;
}

std::string NextName() {
  static std::atomic<int> made = 0;
  return "/perfgate-" + std::to_string(::getpid()) + "-" + std::to_string(++made);
}

// A mount of the unified hierarchy: its folder, and what part of the hierarchy it shows.
struct Mount {
  std::string folder;
  std::string root;
};

Mount UnifiedMount() {
  std::istringstream lines(read_small_file("/proc/self/mountinfo"));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream fields(line);
    std::string skipped;
    Mount mount;
    fields >> skipped >> skipped >> skipped >> mount.root >> mount.folder;
    return mount;
  }
  return {};
}

// The folder of this process's own group; empty: there is no such hierarchy, or it is not shown.
std::string OwnGroup() {
  const Mount mount = UnifiedMount();
  if (mount.folder.empty()) return {};
  std::istringstream lines(read_small_file("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("0::")) continue;
    std::string path = line.substr(3);
    if (mount.root != "/" && path.starts_with(mount.root)) path.erase(0, mount.root.size());
    if (path.find("..") != std::string::npos) return {};
    return path == "/" ? mount.folder : mount.folder + path;
  }
  return {};
}

// Lets groups below `folder` be limited, as far as the system offers it.
int OfferLimits(const std::string& folder) {
  const std::string offered = read_small_file(folder + "/cgroup.controllers");
  int error = 0;
  for (const char* controller : {"memory", "pids"}) {
    if (!HasWord(offered, controller)) continue;
    const int failed = WriteValue(folder + kBelow, std::string("+") + controller);
    if (failed != 0) error = failed;
  }
  return error;
}

// The kernel limits no group whose parent has processes. Moves this one out of the way where it is
// the only one.
bool StepAside(const std::string& folder) {
  const std::string members = read_small_file(folder + kMembers);
  if (members != std::to_string(::getpid()) + "\n") return false;
  const std::string own = folder + "/perfgate-" + std::to_string(::getpid());
  if (::mkdir(own.c_str(), 0755) != 0 && errno != EEXIST) return false;
  return WriteValue(own + kMembers, "0") == 0;
}

}  // namespace

CgroupParent CgroupParentAt(const std::string& folder) {
  CgroupParent parent;
  const std::string trial = folder + NextName();
  if (::mkdir(trial.c_str(), 0755) != 0) {
    parent.why_not = folder + " is not this process's to divide: " + SystemReason(errno);
    return parent;
  }
  ::rmdir(trial.c_str());
  parent.folder = folder;
  int error = OfferLimits(folder);
  if (error == EBUSY && StepAside(folder)) error = OfferLimits(folder);
  const std::string below = read_small_file(folder + kBelow);
  parent.limits_memory = HasWord(below, "memory");
  parent.limits_processes = HasWord(below, "pids");
  if (parent.limits_memory && parent.limits_processes) return parent;
  parent.why_not = folder + " gives groups no limits: ";
  parent.why_not += error == EBUSY ? "other processes are in it"
                    : error != 0   ? SystemReason(error)
                                   : "the controllers memory and pids are not offered there";
  return parent;
}

CgroupParent FindCgroupParent() {
  const std::string folder = OwnGroup();
  if (!folder.empty()) return CgroupParentAt(folder);
  CgroupParent none;
  none.why_not = "no cgroup v2 hierarchy is mounted where this process can see its own group";
  return none;
}

Cgroup::Cgroup(const CgroupParent& parent, const CgroupLimits& limits)
    : folder_(parent.folder + NextName()), members_file_(folder_ + kMembers) {
  if (::mkdir(folder_.c_str(), 0755) != 0) {
    throw Error(Exit::kData, "cannot make the control group " + folder_ + ": " +
                                 SystemReason(errno) + "; remove what is left of earlier runs");
  }
  if (parent.limits_memory && limits.memory_bytes > 0) {
    WriteValue(folder_ + "/memory.max", std::to_string(limits.memory_bytes));
    WriteValue(folder_ + "/memory.swap.max", "0");
    // All of an arm or nothing: half an arm would hang.
    WriteValue(folder_ + "/memory.oom.group", "1");
  }
  if (parent.limits_processes && limits.processes > 0) {
    WriteValue(folder_ + "/pids.max", std::to_string(limits.processes));
  }
}

Cgroup::~Cgroup() {
  Kill();
  // A group can be removed once its last process is gone, zombies included.
  const Deadline limit = Deadline::in(kEmptyS);
  while (::rmdir(folder_.c_str()) != 0 && errno == EBUSY && !limit.passed()) {
    sleep_for(0.001, OnInterrupt::kIgnore);
  }
}

std::vector<int> Cgroup::Members() const {
  std::vector<int> pids;
  std::istringstream members(read_small_file(members_file_));
  for (int pid = 0; members >> pid;) pids.push_back(pid);
  return pids;
}

void Cgroup::Freeze() const { WriteValue(folder_ + "/cgroup.freeze", "1"); }

void Cgroup::Thaw() const { WriteValue(folder_ + "/cgroup.freeze", "0"); }

bool Cgroup::IsFrozen() const { return NumberAfter(folder_ + "/cgroup.events", "frozen") > 0; }

void Cgroup::Kill() const {
  if (WriteValue(folder_ + "/cgroup.kill", "1") == 0) return;
  // Before Linux 5.14 one by one.
  for (const int pid : Members()) ::kill(pid, SIGKILL);
}

double Cgroup::CpuSeconds() const {
  const double microseconds = NumberAfter(folder_ + "/cpu.stat", "usage_usec");
  return microseconds < 0 ? -1 : 1e-6 * microseconds;
}

bool Cgroup::RanOutOfMemory() const {
  return NumberAfter(folder_ + "/memory.events", "oom_kill") > 0;
}

}  // namespace perfgate::inline base
