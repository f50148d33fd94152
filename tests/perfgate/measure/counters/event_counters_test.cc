// SPDX-License-Identifier: Apache-2.0
// Counters are read on events that the kernel counts itself, which every machine has: page faults
// stand in for instructions, and the time on a core for cycles.
#include "perfgate/measure/counters/event_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <map>

#include "perfgate/base/os/process.h"
#include "perfgate/measure/counters/countable.h"

namespace perfgate::measure {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kBoth = {"instructions", "cycles"};

int OpenSoftwareEvent(perf_event_attr& attributes, int pid) {
  attributes.config = attributes.config == PERF_COUNT_HW_INSTRUCTIONS ? PERF_COUNT_SW_PAGE_FAULTS
                                                                      : PERF_COUNT_SW_TASK_CLOCK;
  attributes.type = PERF_TYPE_SOFTWARE;
  return OpenSystemEvent(attributes, pid);
}

OpenEvent Refusing(int error) {
  return [error](perf_event_attr&, int) {
    errno = error;
    return -1;
  };
}

double EventsOf(EventCounters& counters, const std::string& name) {
  for (const auto& [found, count] : counters.Take()) {
    if (found == name) return count;
  }
  return -1;
}

void TouchPages(std::size_t pages) {
  constexpr std::size_t kPage = 4096;
  void* memory =
      ::mmap(nullptr, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ::madvise(memory, pages * kPage, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * kPage] = 1;
  ::munmap(memory, pages * kPage);
}

class EventCountersTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!RefusedEvents(kBoth, OpenSoftwareEvent).empty()) {
      GTEST_SKIP() << "perf_event is refused altogether";
    }
  }
};

TEST_F(EventCountersTest, CountsWhatAProcessDoesBetweenTwoLooks) {
  EventCounters counters = EventCounters::OfProcess(kBoth, 0, OpenSoftwareEvent);
  counters.Take();
  TouchPages(1000);
  const double first = EventsOf(counters, "instructions");
  EXPECT_GE(first, 1000);
  TouchPages(3000);
  const double second = EventsOf(counters, "instructions");
  EXPECT_GE(second, 3000);
  EXPECT_LT(second, 3000 + first) << "what was taken before is not in it";
}

TEST_F(EventCountersTest, CountsWhatIsStartedAndNotTheGate) {
  EventCounters none = EventCounters::OfChildren(kBoth, OpenSoftwareEvent);
  TouchPages(20000);
  EXPECT_LE(EventsOf(none, "instructions"), 0);
  const auto faults_of = [](const std::string& script) {
    EventCounters counters = EventCounters::OfChildren(kBoth, OpenSoftwareEvent);
    SpawnOptions options;
    options.path = "/bin/sh";
    options.args = {"-c", script};
    ChildProcess child(options);
    EXPECT_TRUE(child.wait_exit(Deadline::in(60)));
    return EventsOf(counters, "instructions");
  };
  const double few = faults_of(":");
  EXPECT_GT(few, 0);
  const double many = faults_of("for i in 1 2 3 4 5 6 7 8 9 10; do sh -c 'exit 0'; done");
  EXPECT_GT(many, 5 * few) << "children of the child count";
}

TEST(EventsBetween, ACounterThatHadToShareTheHardwareSaysNothing) {
  EXPECT_EQ(EventsBetween({10, 100, 100}, {30, 200, 200}), 20);
  EXPECT_EQ(EventsBetween({10, 100, 100}, {30, 200, 150}), std::nullopt);
  EXPECT_EQ(EventsBetween({10, 100, 100}, {30, 100, 100}), std::nullopt) << "it did not run";
}

TEST(RefusedEvents, SayWhatTheSystemSaysAndWhatToDo) {
  const auto missing = RefusedEvents(kBoth, Refusing(ENOENT));
  ASSERT_EQ(missing.size(), 2U);
  EXPECT_THAT(missing.at("cycles"),
              AllOf(HasSubstr("No such file"), HasSubstr("perf_event_paranoid"),
                    HasSubstr("no such counter")));
  EXPECT_THAT(RefusedEvents(kBoth, Refusing(EACCES)).at("cycles"), HasSubstr("administrator"));
  EXPECT_THAT(RefusedEvents({{"peak_rss"}}, Refusing(EACCES)), IsEmpty()) << "it is no event";
}

TEST(FindCountable, WhatIsRefusedIsNamedOnceAndTheRestCounted) {
  const Countable found =
      FindCountable({"cycles", "peak_rss", "instructions", "allocs_per_iter"}, Refusing(EPERM));
  EXPECT_THAT(found.names, ElementsAre("peak_rss", "allocs_per_iter"));
  EXPECT_THAT(found.warnings, ElementsAre(HasSubstr("not counted: cycles, instructions: ")));
  EXPECT_THAT(FindCountable({}, Refusing(EPERM)).warnings, IsEmpty());
}

}  // namespace
}  // namespace perfgate::measure
