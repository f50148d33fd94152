// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/sandbox.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/measure/isolation/seccomp_program.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Programs and libraries of the system, and what the loader and the C library read.
constexpr std::array kSystem = {"/usr", "/lib",  "/lib32", "/lib64", "/libx32",
                                "/bin", "/sbin", "/opt",   "/nix",   "/gnu"};
constexpr std::array kSettings = {"/etc/ld.so.cache", "/etc/ld.so.conf",  "/etc/ld.so.conf.d",
                                  "/etc/passwd",      "/etc/group",       "/etc/nsswitch.conf",
                                  "/etc/localtime",   "/etc/alternatives"};

// What names of the network are found and checked with.
constexpr std::array kNetworkSettings = {"/etc/resolv.conf", "/etc/hosts", "/etc/ssl",
                                         "/etc/ca-certificates", "/etc/pki"};

void Append(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

void ShowSystem(Words& words) {
  std::error_code failed;
  for (const char* folder : kSystem) {
    const fs::path link = fs::read_symlink(folder, failed);
    if (!failed) {
      Append(words, {"--symlink", link.string(), folder});
    } else if (fs::exists(folder, failed)) {
      Append(words, {"--ro-bind", folder, folder});
    }
  }
  for (const char* file : kSettings) Append(words, {"--ro-bind-try", file, file});
  Append(words, {"--ro-bind-try", "/sys", "/sys"});
}

// A kernel for a GPU needs the devices, whose driver keeps processes apart.
void ShowGpus(Words& words) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev", failed)) {
    const std::string path = entry.path().string();
    if (path.starts_with("/dev/nvidia")) Append(words, {"--dev-bind-try", path, path});
  }
}

bool LiesIn(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

bool IsShown(const SandboxPlan& plan, const std::string& path) {
  for (const char* folder : kSystem) {
    if (LiesIn(path, folder)) return true;
  }
  for (const Binding& binding : plan.read) {
    if (LiesIn(path, binding.place)) return true;
  }
  return false;
}

Words NamespaceFlags(const Abilities& abilities, bool network = false) {
  Words words = {"--unshare-pid",
                 "--unshare-ipc",
                 "--unshare-uts",
                 "--unshare-cgroup-try",
                 "--die-with-parent",
                 "--hostname",
                 "arm",
                 "--cap-drop",
                 "ALL"};
  if (!network) words.emplace_back("--unshare-net");
  if (abilities.new_user) words.emplace_back("--unshare-user");
  return words;
}

// Root without capabilities may still write the settings of the kernel: core_pattern names a
// program that the kernel runs outside of every sandbox. bubblewrap covers folders that it could
// write to itself, and /proc/sys is none.
void ShowProcesses(const Abilities& abilities, Words& words) {
  if (!abilities.proc) return;
  Append(words, {"--proc", "/proc"});
  for (const char* name : {"sys", "sysrq-trigger", "irq", "bus", "fs", "driver", "acpi", "scsi",
                           "asound", "mtrr", "pressure"}) {
    const std::string path = std::string("/proc/") + name;
    Append(words, {"--ro-bind-try", path, path});
  }
}

void Hide(const std::string& real, Words& words) {
  std::error_code failed;
  if (fs::is_directory(real, failed)) {
    Append(words, {"--tmpfs", real});
  } else {
    Append(words, {"--ro-bind", "/dev/null", real});
  }
}

Words NamespaceWords(const Abilities& abilities, const SandboxPlan& plan) {
  Words words = NamespaceFlags(abilities, plan.network);
  ShowSystem(words);
  if (plan.network) {
    for (const char* path : kNetworkSettings) Append(words, {"--ro-bind-try", path, path});
  }
  Append(words, {"--dev", "/dev"});
  ShowGpus(words);
  ShowProcesses(abilities, words);
  Append(words, {"--tmpfs", "/tmp", "--dir", "/run"});
  for (const Binding& binding : plan.read) {
    Append(words, {"--ro-bind", binding.source, binding.place});
  }
  for (const auto& [text, place] : plan.links) Append(words, {"--symlink", text, place});
  std::error_code failed;
  for (const std::string& path : plan.hidden) {
    const std::string real = fs::canonical(path, failed).string();
    if (!failed && IsShown(plan, real)) Hide(real, words);
  }
  return words;
}

// Libraries that a variable has the loader put before the others, which lie beside perfgate.
void ShowPreloaded(const SpawnOptions& options, Words& words) {
  for (const auto& [name, value] : options.variables) {
    if (name != "LD_PRELOAD") continue;
    for (std::size_t at = 0; at <= value.size();) {
      const std::size_t end = std::min(value.find_first_of(": ", at), value.size());
      const std::string file = value.substr(at, end - at);
      if (file.starts_with('/')) Append(words, {"--ro-bind-try", file, file});
      at = end + 1;
    }
  }
}

std::shared_ptr<const UniqueFd> FileOf(std::string_view bytes) {
  auto file = std::make_shared<const UniqueFd>(::memfd_create("perfgate-sandbox", MFD_CLOEXEC));
  if (!*file ||
      ::write(file->get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::lseek(file->get(), 0, SEEK_SET) != 0) {
    throw Error(Exit::kData, "cannot describe a sandbox to bubblewrap: " + SystemReason(errno));
  }
  return file;
}

std::string Joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text.append(word).append(1, '\0');
  return text;
}

Wrapper BubblewrapWith(const Abilities& abilities, Words words) {
  if (abilities.seccomp) Append(words, {"--seccomp", std::to_string(kWrapperFd + 1)});
  Wrapper wrapper;
  // Through a file: the words would tell an arm where it lies, in the first process's arguments.
  wrapper.files.push_back(FileOf(Joined(words)));
  if (abilities.seccomp) wrapper.files.push_back(FileOf(SeccompProgram()));
  wrapper.words = {abilities.bubblewrap, "--args", std::to_string(kWrapperFd), "--"};
  wrapper.new_pid_namespace = true;
  return wrapper;
}

Words SetprivWords(const Abilities& abilities, int user) {
  const std::string id = std::to_string(user);
  return {abilities.setpriv, "--reuid=" + id,   "--regid=" + id,       "--clear-groups",
          "--no-new-privs",  "--inh-caps=-all", "--bounding-set=-all", "--"};
}

// No honest benchmark comes near, and the gate, the other arm and the machine go on.
CgroupLimits LimitsOfArm(std::uint64_t asked) {
  constexpr std::uint64_t kProcesses = 16384;
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PAGESIZE)));
  const std::uint64_t most = pages / 4 * 3 * page;
  return {.memory_bytes = asked > 0 ? std::min(asked, most) : most, .processes = kProcesses};
}

}  // namespace

Sandbox::Sandbox(const Abilities& abilities, SandboxPlan plan)
    : abilities_(abilities), plan_(std::move(plan)) {}

void Sandbox::Wrap(const std::vector<std::string>& writable, SpawnOptions& options) const {
  options.keep_variables.emplace(std::begin(kKeptVariables), std::end(kKeptVariables));
  if (plan_.user < 0) {
    WrapInNamespaces(writable, options);
  } else {
    WrapAsUser(writable, options);
  }
  if (!abilities_.groups.folder.empty()) {
    options.group =
        std::make_shared<const Cgroup>(abilities_.groups, LimitsOfArm(options.memory_bytes));
    // The limit of all its processes together takes the place of that of each.
    if (abilities_.groups.limits_memory) options.memory_bytes = 0;
  }
}

void Sandbox::WrapInNamespaces(const std::vector<std::string>& writable,
                               SpawnOptions& options) const {
  Words words = NamespaceWords(abilities_, plan_);
  ShowPreloaded(options, words);
  for (const std::string& folder : writable) Append(words, {"--bind", folder, folder});
  for (const Binding& binding : plan_.write) {
    Append(words, {"--bind", binding.source, binding.place});
  }
  Append(words,
         {"--chdir", plan_.folder, "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"});
  // Set inside: bubblewrap itself must load no library of ours.
  for (const auto& [name, value] : options.variables) Append(words, {"--setenv", name, value});
  options.variables.clear();
  options.wrapper = BubblewrapWith(abilities_, std::move(words));
}

void Sandbox::WrapAsUser(const std::vector<std::string>& writable, SpawnOptions& options) const {
  const auto user = static_cast<uid_t>(plan_.user);
  for (const std::string& folder : writable) {
    // It enters the folder above it, which stays ours.
    constexpr mode_t kEnter = 0711;
    ::chmod(fs::path(folder).parent_path().c_str(), kEnter);
    if (::chown(folder.c_str(), user, user) != 0) {
      throw Error(Exit::kData, "cannot give " + folder + " to the arm: " + SystemReason(errno));
    }
  }
  options.wrapper.words = SetprivWords(abilities_, plan_.user);
}

Wrapper ReadOnlyWrapper(const Abilities& abilities, const std::vector<std::string>& hidden) {
  if (!abilities.bubblewrap.empty()) {
    Words words = NamespaceFlags(abilities);
    Append(words, {"--ro-bind", "/", "/", "--dev", "/dev"});
    ShowProcesses(abilities, words);
    for (const std::string& path : hidden) {
      std::error_code failed;
      const std::string real = fs::canonical(path, failed).string();
      if (!failed) Hide(real, words);
    }
    return BubblewrapWith(abilities, std::move(words));
  }
  Wrapper wrapper;
  if (!abilities.setpriv.empty()) wrapper.words = SetprivWords(abilities, UserOfArm(0));
  return wrapper;
}

}  // namespace perfgate::measure
