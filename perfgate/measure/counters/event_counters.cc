// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/counters/event_counters.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::measure {
namespace {

struct Event {
  std::string_view name;
  std::uint64_t config;
};

constexpr std::array kEvents = {Event{"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                                Event{"cycles", PERF_COUNT_HW_CPU_CYCLES},
                                Event{"branch_misses", PERF_COUNT_HW_BRANCH_MISSES},
                                Event{"cache_misses", PERF_COUNT_HW_CACHE_MISSES}};

const Event* FindEvent(std::string_view name) {
  const auto* const found = std::find_if(kEvents.begin(), kEvents.end(),
                                         [name](const Event& event) { return event.name == name; });
  return found == kEvents.end() ? nullptr : found;
}

perf_event_attr AttributesOf(const Event& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = event.config;
  attributes.inherit = 1;
  // User mode alone: it repeats, and perf_event_paranoid 2 allows it.
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

std::optional<EventReading> ReadCounter(int fd) {
  EventReading reading;
  const auto bytes = ::read(fd, &reading, sizeof reading);
  return bytes == static_cast<ssize_t>(sizeof reading) ? std::optional(reading) : std::nullopt;
}

std::string ParanoidText() {
  std::string text = read_small_file("/proc/sys/kernel/perf_event_paranoid");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "this kernel has no perf_event_paranoid" : "perf_event_paranoid is " + text;
}

std::string WhyRefused(int error) {
  const std::string says = "perf_event_open: " + SystemReason(error) + " (" + ParanoidText() + ")";
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV) {
    return says + "; this machine has no such counter, as many virtual ones";
  }
  if (error == EACCES || error == EPERM) {
    return says +
           "; let an administrator set kernel.perf_event_paranoid to 2 or less, and a "
           "container allow the call";
  }
  return says;
}

}  // namespace

int OpenSystemEvent(perf_event_attr& attributes, int pid) {
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<double> EventsBetween(const EventReading& before, const EventReading& after) {
  const std::uint64_t enabled = after.enabled_ns - before.enabled_ns;
  const std::uint64_t running = after.running_ns - before.running_ns;
  if (enabled == 0 || running < enabled || after.value < before.value) return std::nullopt;
  return static_cast<double>(after.value - before.value);
}

EventCounters EventCounters::OfProcess(std::span<const std::string> names, int pid,
                                       const OpenEvent& open) {
  EventCounters counters;
  for (const std::string& name : names) {
    const Event* event = FindEvent(name);
    if (event == nullptr) continue;
    perf_event_attr attributes = AttributesOf(*event);
    UniqueFd fd(open(attributes, pid));
    if (!fd) continue;
    const EventReading start = ReadCounter(fd.get()).value_or(EventReading{});
    counters.counters_.push_back({name, std::move(fd), start});
  }
  return counters;
}

EventCounters EventCounters::OfChildren(std::span<const std::string> names, const OpenEvent& open) {
  // A child inherits a counter that does not run, and exec starts the child's.
  const OpenEvent asleep = [&open](perf_event_attr& attributes, int pid) {
    attributes.disabled = 1;
    attributes.enable_on_exec = 1;
    return open(attributes, pid);
  };
  return OfProcess(names, 0, asleep);
}

std::vector<std::pair<std::string, double>> EventCounters::Take() {
  std::vector<std::pair<std::string, double>> taken;
  for (Counter& counter : counters_) {
    const std::optional<EventReading> now = ReadCounter(counter.fd.get());
    if (!now) continue;
    if (const auto events = EventsBetween(counter.last, *now)) {
      taken.emplace_back(counter.name, *events);
    }
    counter.last = *now;
  }
  return taken;
}

std::map<std::string, std::string> RefusedEvents(std::span<const std::string> names,
                                                 const OpenEvent& open) {
  std::map<std::string, std::string> refused;
  for (const std::string& name : names) {
    const Event* event = FindEvent(name);
    if (event == nullptr) continue;
    perf_event_attr attributes = AttributesOf(*event);
    const UniqueFd fd(open(attributes, 0));
    if (!fd) refused[name] = WhyRefused(errno);
  }
  return refused;
}

}  // namespace perfgate::measure
