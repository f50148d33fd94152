// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/process_tree.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::inline base {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Names in a folder that are numbers: processes in /proc, threads in /proc/<pid>/task.
std::vector<int> numbers_in(const std::string& folder) {
  std::vector<int> numbers;
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(folder.c_str()));
  if (!directory) return numbers;
  while (const dirent* entry = ::readdir(directory.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) numbers.push_back(number);
  }
  return numbers;
}

std::optional<ProcessEntry> read_entry(int pid) {
  const std::string stat = read_small_file("/proc/" + std::to_string(pid) + "/stat");
  // The second field is the program's name in parentheses and may hold anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  ProcessEntry entry;
  entry.pid = pid;
  std::istringstream fields(stat.substr(name_end + 1));
  if (!(fields >> entry.state >> entry.parent >> entry.group >> entry.session)) return std::nullopt;
  // Between the session and the number of threads: terminal, faults, times and priorities.
  constexpr int kSkipped = 13;
  std::string field;
  for (int i = 0; i < kSkipped; ++i) fields >> field;
  fields >> entry.threads;
  return entry;
}

std::string children_file(int pid, int thread) {
  return "/proc/" + std::to_string(pid) + "/task/" + std::to_string(thread) + "/children";
}

std::vector<int> children_by_threads(int pid) {
  std::vector<int> children;
  for (const int thread : numbers_in("/proc/" + std::to_string(pid) + "/task")) {
    std::istringstream list(read_small_file(children_file(pid, thread)));
    for (int child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

// For kernels without /proc/<pid>/task/<tid>/children.
std::vector<ProcessEntry> descendants_by_scan(int pid) {
  std::multimap<int, ProcessEntry> by_parent;
  for (const int other : numbers_in("/proc")) {
    if (const auto entry = read_entry(other)) by_parent.emplace(entry->parent, *entry);
  }
  std::vector<ProcessEntry> found;
  std::set<int> seen = {pid};
  std::vector<int> open = {pid};
  while (!open.empty()) {
    const auto [first, last] = by_parent.equal_range(open.back());
    open.pop_back();
    for (auto it = first; it != last; ++it) {
      if (!seen.insert(it->second.pid).second) continue;
      found.push_back(it->second);
      open.push_back(it->second.pid);
    }
  }
  return found;
}

enum class Mark { kOurs, kOther, kNone };

Mark mark_of(int pid, const std::string& launch_id) {
  const std::string variable = std::string(kLaunchVariable) + "=";
  const std::string environment = read_small_file("/proc/" + std::to_string(pid) + "/environ");
  Mark mark = Mark::kNone;
  for (std::size_t at = 0; at < environment.size();) {
    const std::size_t end = std::min(environment.find('\0', at), environment.size());
    const std::string_view entry = std::string_view(environment).substr(at, end - at);
    if (entry.substr(0, variable.size()) == variable) {
      if (entry.substr(variable.size()) == launch_id) return Mark::kOurs;
      mark = Mark::kOther;
    }
    at = end + 1;
  }
  return mark;
}

struct MainProcesses {
  std::mutex mutex;
  std::set<int> pids;
};

MainProcesses& Mains() {
  static MainProcesses mains;
  return mains;
}

bool IsMain(int pid) {
  const std::lock_guard lock(Mains().mutex);
  return Mains().pids.contains(pid);
}

}  // namespace

std::vector<ProcessEntry> descendants(int pid) {
  const int self = ::getpid();
  if (::access(children_file(self, self).c_str(), R_OK) != 0) return descendants_by_scan(pid);
  std::vector<ProcessEntry> found;
  std::set<int> seen = {pid};
  std::vector<int> open = {pid};
  while (!open.empty()) {
    const int parent = open.back();
    open.pop_back();
    for (const int child : children_by_threads(parent)) {
      if (!seen.insert(child).second) continue;
      if (const auto entry = read_entry(child)) found.push_back(*entry);
      open.push_back(child);
    }
  }
  return found;
}

int StartMain(const std::function<int()>& start) {
  const std::lock_guard lock(Mains().mutex);
  const int pid = start();
  if (pid > 0) Mains().pids.insert(pid);
  return pid;
}

void ForgetMain(int pid) {
  const std::lock_guard lock(Mains().mutex);
  Mains().pids.erase(pid);
}

int NamespacePid(int pid) {
  constexpr std::string_view kField = "\nNSpid:";
  const std::string status = read_small_file("/proc/" + std::to_string(pid) + "/status");
  const std::size_t at = status.find(kField);
  if (at == std::string::npos) return 0;
  const std::size_t begin = at + kField.size();
  std::istringstream numbers(status.substr(begin, status.find('\n', begin) - begin));
  int number = 0;
  for (int next = 0; numbers >> next;) number = next;
  return number;
}

bool IsStopped(int pid) {
  const std::string threads = "/proc/" + std::to_string(pid) + "/task/";
  const std::vector<int> numbers = numbers_in(threads);
  return std::all_of(numbers.begin(), numbers.end(), [&](int thread) {
    const std::string stat = read_small_file(threads + std::to_string(thread) + "/stat");
    const std::size_t name_end = stat.rfind(") ");
    if (name_end == std::string::npos || name_end + 2 >= stat.size()) return true;  // gone
    return std::string_view("TtZXx").find(stat[name_end + 2]) != std::string_view::npos;
  });
}

std::vector<ProcessEntry> launch_members(int main_pid, const std::string& launch_id) {
  const int self = ::getpid();
  const int own_session = ::getsid(0);
  std::set<int> below;
  for (const ProcessEntry& entry : descendants(main_pid)) below.insert(entry.pid);
  std::vector<ProcessEntry> members;
  for (const ProcessEntry& entry : descendants(self)) {
    // Another launch's main process is its own, also while it has no environment: as a zombie, and
    // for a moment when it begins.
    if (entry.pid == main_pid || IsMain(entry.pid)) continue;
    bool member = below.contains(entry.pid) || entry.group == main_pid;
    if (!member && !entry.alive()) {
      member = entry.parent == self && entry.session != own_session;
    } else if (!member) {
      const Mark mark = mark_of(entry.pid, launch_id);
      member = mark == Mark::kOurs ||
               (mark == Mark::kNone && entry.parent == self && entry.session != own_session);
    }
    if (member) members.push_back(entry);
  }
  return members;
}

void become_subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

}  // namespace perfgate::inline base
