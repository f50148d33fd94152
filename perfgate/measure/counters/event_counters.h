// SPDX-License-Identifier: Apache-2.0
// event_counters.h: events of the processor that a process and its threads cause, by perf_event
// (perf_event_open(2)), in user mode only.
//
// A counter that had to share the hardware with others has run for a part of the time. Such a count
// is left out and not scaled: an estimate would be as noisy as a time.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::measure {

// The system call, or a test's: a descriptor, or -1 and errno. pid: 0 for the calling thread.
using OpenEvent = std::function<int(perf_event_attr& attributes, int pid)>;
int OpenSystemEvent(perf_event_attr& attributes, int pid);

// What is read from a counter.
struct EventReading {
  std::uint64_t value = 0;
  std::uint64_t enabled_ns = 0;
  std::uint64_t running_ns = 0;
};

// None where the counter did not run all the time, or not at all.
std::optional<double> EventsBetween(const EventReading& before, const EventReading& after);

class EventCounters {
 public:
  // Counts in process `pid`, in the threads that it starts from now on and in their children.
  // Names of counted_metrics.h; others, and what the system refuses, are left out.
  static EventCounters OfProcess(std::span<const std::string> names, int pid,
                                 const OpenEvent& open = OpenSystemEvent);

  // Counts in the program that this thread starts next and in what that starts, from the first
  // instruction, and never in this process. For another program take another object: the kernel may
  // hand these counters to the first one, and they end with it.
  static EventCounters OfChildren(std::span<const std::string> names,
                                  const OpenEvent& open = OpenSystemEvent);

  // The events since the last call, or since the start, by name.
  std::vector<std::pair<std::string, double>> Take();

  bool empty() const { return counters_.empty(); }

 private:
  struct Counter {
    std::string name;
    UniqueFd fd;
    EventReading last;
  };
  std::vector<Counter> counters_;
};

// Why the system refuses to count each of these names in a process of ours; those that it counts
// are not in it.
std::map<std::string, std::string> RefusedEvents(std::span<const std::string> names,
                                                 const OpenEvent& open = OpenSystemEvent);

}  // namespace perfgate::measure
