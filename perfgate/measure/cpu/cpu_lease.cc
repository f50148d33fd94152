// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/cpu/cpu_lease.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/cpu/core_lock.h"
#include "perfgate/measure/cpu/cpu_times.h"

namespace perfgate::measure {
namespace {

constexpr double kRetryS = 1;

// How much a busy sibling on the same physical core counts against a core.
constexpr double kSiblingWeight = 0.5;

bool contains(const std::vector<int>& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

// Hardware threads of the same physical core, the core itself included.
std::vector<int> siblings_of(int cpu) {
  std::vector<int> siblings = parse_cpu_list(read_small_file(
      "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list"));
  if (siblings.empty()) siblings = {cpu};
  return siblings;
}

struct Watch {
  std::map<int, double> busy;  // share of each core's time used or stolen
  bool known = false;
};

Watch watch_cores(double seconds) {
  const std::map<int, CpuTimes> before = cpu_times();
  sleep_for(seconds);
  const std::map<int, CpuTimes> after = cpu_times();
  Watch watch;
  for (const auto& [cpu, times] : after) {
    const CpuTimes spent = elapsed(before, after, {cpu});
    if (spent.total() <= 0) continue;
    watch.busy[cpu] = (spent.busy + spent.steal) / spent.total();
    watch.known = true;
  }
  return watch;
}

double busy_of(const Watch& watch, int cpu) {
  const auto found = watch.busy.find(cpu);
  return found == watch.busy.end() ? 0 : found->second;
}

// Quietest first. Among equals the last one: the first core of a machine gets most interrupts.
std::vector<int> by_quietness(std::vector<int> cpus, const Watch& watch) {
  std::map<int, double> score;
  for (const int cpu : cpus) {
    score[cpu] = busy_of(watch, cpu);
    for (const int sibling : siblings_of(cpu)) {
      if (sibling != cpu) score[cpu] += kSiblingWeight * busy_of(watch, sibling);
    }
  }
  std::sort(cpus.begin(), cpus.end(),
            [&](int a, int b) { return score[a] != score[b] ? score[a] < score[b] : a > b; });
  return cpus;
}

struct Attempt {
  std::vector<int> cpus;
  std::vector<UniqueFd> locks;
  std::map<int, std::string> holders;  // of cores that others have
  std::string no_lock_reason;
};

// Takes up to `count` of the cores in this order; siblings of taken cores only when nothing else is
// left.
Attempt take(const std::vector<int>& order, std::size_t count, const std::string& folder) {
  Attempt attempt;
  std::set<int> used_cores;
  for (const bool allow_siblings : {false, true}) {
    for (const int cpu : order) {
      if (attempt.cpus.size() == count) return attempt;
      if (contains(attempt.cpus, cpu) || attempt.holders.contains(cpu)) continue;
      if (!allow_siblings && used_cores.contains(cpu)) continue;
      CoreLock lock = try_core_lock(folder, cpu);
      if (lock.state == CoreLock::State::kBusy) {
        attempt.holders[cpu] = lock.holder;
        continue;
      }
      if (lock.state == CoreLock::State::kUnavailable) attempt.no_lock_reason = lock.reason;
      if (lock.lock) attempt.locks.push_back(std::move(lock.lock));
      attempt.cpus.push_back(cpu);
      for (const int sibling : siblings_of(cpu)) used_cores.insert(sibling);
    }
  }
  return attempt;
}

void check_request(int count, const std::vector<int>& requested, const std::vector<int>& allowed) {
  if (count < 1) throw Error(Exit::kUsage, "at least one core must be leased");
  const auto usage = [&](const std::string& why) {
    throw Error(Exit::kUsage, "cores " + Join(requested, ",") + ": " + why);
  };
  for (const int cpu : requested) {
    if (!contains(allowed, cpu)) {
      usage("core " + std::to_string(cpu) +
            " may not be used here; allowed: " + Join(allowed, ","));
    }
    if (std::count(requested.begin(), requested.end(), cpu) > 1) {
      usage("core " + std::to_string(cpu) + " is named twice");
    }
  }
  if (!requested.empty() && requested.size() < static_cast<std::size_t>(count)) {
    usage("the benchmarks need " + std::to_string(count) + " cores; name as many, or none");
  }
}

std::string holder_text(const Attempt& attempt) {
  std::string text;
  for (const auto& [cpu, holder] : attempt.holders) {
    AppendItem(text, "core " + std::to_string(cpu) + ": " + holder, "; ");
  }
  return text;
}

// Waits for others until `count` cores can be had.
Attempt take_patiently(const std::vector<int>& order, std::size_t count,
                       const LeaseOptions& options) {
  const Deadline deadline = Deadline::in(options.wait_s);
  bool told = false;
  for (;;) {
    Attempt attempt = take(order, count, options.lock_folder);
    if (attempt.cpus.size() == count) return attempt;
    const std::string holders = holder_text(attempt);
    if (deadline.passed()) {
      throw Error(Exit::kNotComparable, "no " + std::to_string(count) + " free core(s) within " +
                                            seconds_text(options.wait_s) +
                                            "; other gates hold them (" + holders +
                                            "). Let them finish, or wait longer");
    }
    if (!told && options.message) {
      options.message("waiting for a core; other gates hold them (" + holders + ")");
    }
    told = true;
    attempt = Attempt{};  // hold nothing while waiting, or two waiters could block each other
    sleep_for(std::min(kRetryS, deadline.left_s()));
  }
}

// Cores' worth of CPU time that a cgroup's quota allows (cgroup v2, then v1); negative: no quota.
double cgroup_quota() {
  double quota = -1, period = -1;
  const std::string v2 = read_small_file("/sys/fs/cgroup/cpu.max");
  if (std::sscanf(v2.c_str(), "%lf %lf", &quota, &period) == 2 && period > 0) {
    return quota / period;
  }
  quota = std::atof(read_small_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").c_str());
  period = std::atof(read_small_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us").c_str());
  return quota > 0 && period > 0 ? quota / period : -1;
}

void add_warnings(CpuLease* lease, const Attempt& attempt, int count,
                  const std::vector<int>& allowed, const Watch& watch) {
  const auto warn = [&](const std::string& text) { lease->warnings.push_back(text); };
  if (!attempt.no_lock_reason.empty()) {
    warn("no lock file for the cores (" + attempt.no_lock_reason +
         "): another gate on this machine would not be noticed");
  }
  if (allowed.size() < static_cast<std::size_t>(count)) {
    warn("the benchmarks need " + std::to_string(count) + " cores, only " +
         std::to_string(allowed.size()) + " may be used here");
  }
  if (allowed.size() == 1) {
    warn("only one core may be used here: perfgate shares it with the benchmarks");
  }
  const double quota = cgroup_quota();
  if (quota > 0 && quota < static_cast<double>(lease->cpus.size()) + 1) {
    warn("the container's CPU quota is " + std::to_string(quota) +
         " cores: the benchmarks may be throttled in the middle of a slice");
  }
  constexpr double kBusy = 0.2;
  if (watch.known && lease->busy_share > kBusy) {
    warn("the quietest core(s) " + Join(lease->cpus, ",") + " were " +
         std::to_string(static_cast<int>(lease->busy_share * 100)) +
         " % busy with other work before measuring");
  }
}

}  // namespace

std::vector<int> allowed_cpus() { return current_affinity(); }

CpuLease lease_cpus(int count, const std::vector<int>& requested, const LeaseOptions& options) {
  const std::vector<int> allowed = allowed_cpus();
  CpuLease lease;
  if (allowed.empty()) {
    if (count < 1) check_request(count, {}, allowed);
    lease.warnings.emplace_back("the system does not say which cores may be used: not pinned");
    return lease;
  }
  check_request(count, requested, allowed);
  const Watch watch = watch_cores(options.watch_s);
  Attempt attempt;
  if (!requested.empty()) {
    attempt = take(requested, requested.size(), options.lock_folder);
    if (!attempt.holders.empty()) {
      throw Error(Exit::kUsage, "cores " + Join(requested, ",") +
                                    ": another gate measures there (" + holder_text(attempt) +
                                    "). Name other cores, or let perfgate choose");
    }
  } else {
    const std::size_t wanted = std::min(static_cast<std::size_t>(count), allowed.size());
    attempt = take_patiently(by_quietness(allowed, watch), wanted, options);
  }
  lease.cpus = attempt.cpus;
  lease.locks = std::move(attempt.locks);
  std::sort(lease.cpus.begin(), lease.cpus.end());
  for (const int cpu : lease.cpus) lease.busy_share += busy_of(watch, cpu);
  lease.busy_share /= static_cast<double>(lease.cpus.size());
  add_warnings(&lease, attempt, count, allowed, watch);
  return lease;
}

SelfAffinity::SelfAffinity(const std::vector<int>& cpus) {
  const std::vector<int> before = current_affinity();
  std::vector<int> others;
  for (const int cpu : before) {
    if (!contains(cpus, cpu)) others.push_back(cpu);
  }
  if (others.empty() || others.size() == before.size()) return;
  if (set_affinity_of_process(::getpid(), others)) before_ = before;
}

SelfAffinity::~SelfAffinity() {
  if (!before_.empty()) set_affinity_of_process(::getpid(), before_);
}

}  // namespace perfgate::measure
