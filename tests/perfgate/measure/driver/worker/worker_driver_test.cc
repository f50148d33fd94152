// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>

#include "perfgate/base/error.h"
#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/process_tree.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/driver/arm.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kOddName = "odd \"quoted\"\nname\x01";

Executable fake() {
  Executable executable;
  executable.path = fixture("fake_worker");
  executable.speaks_protocol = true;
  return executable;
}

Launch launch() { return {fixture("fake_worker"), {}}; }

WorkerLimits patient() { return {kPatience, kPatience, kPatience}; }

WorkerLimits hasty() { return {0.05, 0.05, 0.05}; }

Listing well_behaved_listing() { return list_worker(fake(), launch(), patient()); }

SliceRequest request(std::size_t id = 0, double limit_s = kPatience) {
  SliceRequest slice;
  slice.case_id = id;
  slice.iterations = 10;
  slice.limit_s = limit_s;
  return slice;
}

// One slice of the first case on a worker that misbehaves.
SliceResult slice_with(const std::string& mode, double limit_s = kPatience) {
  const Listing listing = well_behaved_listing();
  const ScopedVariable variable("FAKE_WORKER", mode);
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  SliceResult result = driver->slice(request(0, limit_s));
  const bool usable = !result.fault || *result.fault == FaultKind::kSkipped ||
                      *result.fault == FaultKind::kError || *result.fault == FaultKind::kBadValue ||
                      *result.fault == FaultKind::kInvalid;
  EXPECT_EQ(driver->alive(), usable);
  if (!usable) {
    const SliceResult again = driver->slice(request());
    EXPECT_EQ(again.fault, result.fault) << "a dead arm stays dead";
    EXPECT_TRUE(descendants(::getpid()).empty()) << "the worker still runs";
  }
  return result;
}

TEST(WorkerDriver, Lists) {
  const Listing listing = well_behaved_listing();
  ASSERT_EQ(listing.cases.size(), 2U);
  EXPECT_EQ(listing.cases[0].name, "good");
  EXPECT_EQ(listing.cases[1].name, kOddName);
  EXPECT_EQ(listing.cases[1].threads, 2);
  EXPECT_EQ(listing.cases[1].time, "manual");
  EXPECT_EQ(listing.cases[1].fixed_iterations, 7);
  ASSERT_EQ(listing.metrics.size(), 2U);
  EXPECT_EQ(listing.metrics[1].direction, Direction::kHigher);
  EXPECT_EQ(listing.library, "1.7.1");
  EXPECT_TRUE(listing.build.known);
  EXPECT_TRUE(listing.fixed_counts);
  EXPECT_GT(listing.startup_s, 0);
}

TEST(WorkerDriver, MeasuresASlice) {
  const auto driver = launch_worker(fake(), well_behaved_listing(), launch(), patient());
  EXPECT_TRUE(driver->alive());
  const SliceResult result = driver->slice(request());
  ASSERT_FALSE(result.fault) << result.detail;
  EXPECT_EQ(result.iterations, 10);
  EXPECT_DOUBLE_EQ(result.real_s, 2.5e-7);
  EXPECT_DOUBLE_EQ(result.cpu_s, 1e-7);
  EXPECT_DOUBLE_EQ(result.total_s, 2.5e-6);
  EXPECT_GT(result.wall_s, 0);
  EXPECT_EQ(counter(result, "deathsig"), SIGKILL);
  EXPECT_TRUE(std::isnan(counter(result, "not_a_number")));
  EXPECT_EQ(driver->leftover_processes(), 0);
  EXPECT_GT(driver->cpu_seconds(), 0);
  const Departure departure = driver->quit();
  EXPECT_GT(departure.voluntary_switches, 0);
  EXPECT_EQ(departure.leftover_processes, 0);
  EXPECT_EQ(departure.detail, "");
  EXPECT_FALSE(driver->alive());
}

TEST(WorkerDriver, PinningHolds) {
  const std::vector<int> allowed = current_affinity();
  Launch pinned = launch();
  pinned.cpus = {allowed.back()};
  const auto driver = launch_worker(fake(), well_behaved_listing(), pinned, patient());
  SliceResult result = driver->slice(request());
  EXPECT_EQ(counter(result, "cpu_count"), 1);
  EXPECT_EQ(counter(result, "first_cpu"), allowed.back());
  driver->pin(allowed);
  result = driver->slice(request());
  EXPECT_EQ(counter(result, "cpu_count"), static_cast<double>(allowed.size()));
}

TEST(WorkerDriver, CasesAreMatchedByName) {
  const Listing listing = well_behaved_listing();
  {
    const ScopedVariable variable("FAKE_WORKER", "swapped_cases");
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    EXPECT_EQ(counter(driver->slice(request(0)), "case_id"), 1);
    EXPECT_EQ(counter(driver->slice(request(1)), "case_id"), 0);
  }
  const ScopedVariable variable("FAKE_WORKER", "one_case");
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  EXPECT_EQ(driver->slice(request(0)).fault, FaultKind::kAbsent);
  EXPECT_TRUE(driver->alive());
  EXPECT_FALSE(driver->slice(request(1)).fault);
}

TEST(WorkerDriver, Crash) {
  const SliceResult result = slice_with("crash");
  EXPECT_EQ(result.fault, FaultKind::kCrashed);
  EXPECT_EQ(result.detail,
            "killed by signal 11 (Segmentation fault) in case good; last output: about to | crash");
}

TEST(WorkerDriver, EveryMisbehaviourHasItsFault) {
  struct Expectation {
    const char* mode;
    FaultKind kind;
    const char* detail;
  };
  for (const auto& [mode, kind, detail] : std::vector<Expectation>{
           {"exit0", FaultKind::kExited, "exited with code 0 in case good"},
           {"exit3", FaultKind::kCrashed, "exited with code 3 in case good"},
           {"half", FaultKind::kExited, "exited with code 0 in case good"},
           {"garbage", FaultKind::kProtocol, "not json \\xff"},
           {"array", FaultKind::kProtocol, "not a JSON object"},
           {"huge", FaultKind::kProtocol, "more than 64 MiB"},
           {"wrong_case", FaultKind::kProtocol, "case id 77"},
           {"wrong_count", FaultKind::kProtocol, "asked for 10 iterations it ran 1"},
           {"refuse", FaultKind::kProtocol, "refused the request: no"},
           {"close", FaultKind::kProtocol, "went on running"},
           {"failed", FaultKind::kError, "wrong result"},
           {"skipped", FaultKind::kSkipped, "no such device"},
           {"invalid", FaultKind::kInvalid, "work after the stop"},
           {"null_time", FaultKind::kBadValue, "not a finite number"},
           {"zero_time", FaultKind::kBadValue, "must be finite and positive"}}) {
    SCOPED_TRACE(mode);
    const SliceResult result = slice_with(mode);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(static_cast<int>(*result.fault), static_cast<int>(kind));
    EXPECT_THAT(result.detail, AllOf(HasSubstr(detail), Not(HasSubstr("\n"))));
  }
}

TEST(WorkerDriver, AHangIsCutAtTheLimit) {
  for (const char* mode : {"hang", "spin"}) {
    const SliceResult result = slice_with(mode, 0.05);
    EXPECT_EQ(result.fault, FaultKind::kTimeout);
    EXPECT_THAT(result.detail, HasSubstr("no answer within 0.05 s in case good"));
  }
}

TEST(WorkerDriver, OutputOnStdoutDoesNoHarm) {
  const SliceResult result = slice_with("chatty");
  EXPECT_FALSE(result.fault) << result.detail;
}

TEST(WorkerDriver, WritingUnaskedIsAProtocolFault) {
  const Listing listing = well_behaved_listing();
  const ScopedVariable variable("FAKE_WORKER", "unasked");
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  EXPECT_FALSE(driver->slice(request()).fault);
  sleep_for(0.02);
  const SliceResult result = driver->slice(request());
  EXPECT_EQ(result.fault, FaultKind::kProtocol);
  EXPECT_THAT(result.detail, HasSubstr("without being asked"));
}

TEST(WorkerDriver, LeftoversAreCountedAndKilled) {
  for (const char* mode : {"stray", "stray_session"}) {
    SCOPED_TRACE(mode);
    const Listing listing = well_behaved_listing();
    const ScopedVariable variable("FAKE_WORKER", mode);
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    EXPECT_EQ(driver->leftover_processes(), 0);
    EXPECT_FALSE(driver->slice(request()).fault);
    EXPECT_EQ(driver->leftover_processes(), 1);
    EXPECT_EQ(driver->quit().leftover_processes, 1);
    EXPECT_TRUE(descendants(::getpid()).empty());
  }
}

TEST(WorkerDriver, OtherVersionsAreNotComparable) {
  const ScopedVariable variable("FAKE_WORKER", "version9");
  try {
    list_worker(fake(), launch(), patient());
    FAIL() << "version 9 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kNotComparable);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("protocol 8 to 9"), HasSubstr("this perfgate 1 to 2")));
  }
  EXPECT_THROW(launch_worker(fake(), {}, launch(), patient()), Error);
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(WorkerDriver, ANewerWorkerThatKnowsOursIsFine) {
  const ScopedVariable variable("FAKE_WORKER", "version7");
  EXPECT_EQ(list_worker(fake(), launch(), patient()).cases.size(), 2U);
}

TEST(WorkerDriver, FromVersion2OnAnAnswerCarriesTheNonceOfItsRequest) {
  const Listing listing = well_behaved_listing();
  {
    const ScopedVariable variable("FAKE_WORKER", "version2");
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    for (int i = 0; i < 3; ++i) {
      const SliceResult result = driver->slice(request());
      EXPECT_FALSE(result.fault) << result.detail;
    }
  }
  {
    const ScopedVariable variable("FAKE_WORKER", "replay");
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    EXPECT_FALSE(driver->slice(request()).fault);
    const SliceResult again = driver->slice(request());
    EXPECT_EQ(again.fault, FaultKind::kProtocol);
    EXPECT_THAT(again.detail, HasSubstr("nonce"));
  }
  const ScopedVariable variable("FAKE_WORKER", "no_nonce");
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  EXPECT_EQ(driver->slice(request()).fault, FaultKind::kProtocol);
}

TEST(WorkerDriver, AnAnswerThatContradictsItselfOrTheWallIsInvalid) {
  const Listing listing = well_behaved_listing();
  for (const auto& [mode, detail] : std::vector<std::pair<const char*, const char*>>{
           {"no_time", "below_floor: "},
           {"other_total", "second_clock: it reports 2.5e-07 s per iteration"},
           {"beyond_wall", "second_clock: it reports 10000 s of timed work"}}) {
    SCOPED_TRACE(mode);
    const ScopedVariable variable("FAKE_WORKER", mode);
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    const SliceResult result = driver->slice(request());
    EXPECT_EQ(result.fault, FaultKind::kInvalid);
    EXPECT_THAT(result.detail, HasSubstr(detail));
    EXPECT_TRUE(driver->alive());
  }
  // Manual time may be that of another clock.
  const ScopedVariable variable("FAKE_WORKER", "beyond_wall");
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  EXPECT_FALSE(driver->slice(request(1)).fault);
}

TEST(WorkerDriver, FailuresBeforeTheFirstSlice) {
  struct Expectation {
    const char* mode;
    FaultKind kind;
    const char* detail;
  };
  const Listing listing = well_behaved_listing();
  for (const auto& [mode, kind, detail] : std::vector<Expectation>{
           {"hello_exit0", FaultKind::kExited, "code 0 before it was ready"},
           {"hello_exit5", FaultKind::kCrashed, "last output: libcuda.so.1 is too old"},
           {"hello_garbage", FaultKind::kProtocol, "segmentation"},
           {"hello_incomplete", FaultKind::kProtocol, "/library: this field is missing"},
           {"list_bad_type", FaultKind::kProtocol, "/name: expected text"},
           {"list_bad_metric", FaultKind::kProtocol, "sideways"},
           {"hello_hang", FaultKind::kTimeout, "no answer within"}}) {
    SCOPED_TRACE(mode);
    const ScopedVariable variable("FAKE_WORKER", mode);
    const WorkerLimits limits = kind == FaultKind::kTimeout ? hasty() : patient();
    try {
      list_worker(fake(), launch(), limits);
      ADD_FAILURE() << "listed";
    } catch (const ArmError& error) {
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind));
      EXPECT_THAT(error.what(), AllOf(HasSubstr("fake_worker"), HasSubstr(detail)));
    }
    const auto driver = launch_worker(fake(), listing, launch(), limits);
    EXPECT_FALSE(driver->alive());
    const SliceResult result = driver->slice(request());
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(static_cast<int>(*result.fault), static_cast<int>(kind));
    EXPECT_THAT(result.detail, HasSubstr(detail));
  }
  const auto driver = launch_worker(fake(), listing, {"/does/not/exist", {}}, patient());
  EXPECT_EQ(driver->slice(request()).fault, FaultKind::kLaunch);
}

TEST(WorkerDriver, DisorderlyEndsAreToldOf) {
  const Listing listing = well_behaved_listing();
  {
    const ScopedVariable variable("FAKE_WORKER", "quit_hang");
    const auto driver = launch_worker(fake(), listing, launch(), {kPatience, kPatience, 0.05});
    EXPECT_THAT(driver->quit().detail, HasSubstr("did not quit within 0.05 s"));
  }
  {
    const ScopedVariable variable("FAKE_WORKER", "quit_exit4");
    const auto driver = launch_worker(fake(), listing, launch(), patient());
    EXPECT_THAT(driver->quit().detail, HasSubstr("exited with code 4 when asked to quit"));
  }
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(WorkerDriver, APausedWorkerWaitsAndGoesOn) {
  const auto driver = launch_worker(fake(), well_behaved_listing(), launch(), patient());
  driver->pause();
  driver->resume();
  EXPECT_FALSE(driver->slice(request()).fault);
  driver->pause();
  EXPECT_EQ(driver->quit().detail, "");
}

TEST(WorkerDriver, AnIdleWorkerUsesNoCpu) {
  const auto driver = launch_worker(fake(), well_behaved_listing(), launch(), patient());
  driver->slice(request());
  sleep_for(0.02);
  const double before = driver->cpu_seconds();
  sleep_for(0.02);
  EXPECT_EQ(driver->cpu_seconds(), before);
}

TEST(WorkerDriver, InterruptionEndsASlice) {
  const Listing listing = well_behaved_listing();
  const ScopedVariable variable("FAKE_WORKER", "hang");
  const InterruptScope scope;
  const auto driver = launch_worker(fake(), listing, launch(), patient());
  ::raise(SIGINT);
  EXPECT_THROW(driver->slice(request()), Interrupted);
  EXPECT_THAT(driver->quit().detail, HasSubstr("interrupted"));
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(WorkerDriver, NothingLeaks) {
  const int before = open_descriptors();
  for (const char* mode : {"", "crash", "hello_exit0", "version9", "stray_session"}) {
    const ScopedVariable variable("FAKE_WORKER", mode);
    try {
      const auto driver = launch_worker(fake(), {}, launch(), patient());
    } catch (const Error&) {
    }
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Arm, ListsAndLaunchesByMarker) {
  const Listing listing = list_arm(fake(), launch(), kPatience);
  const auto driver = launch_arm(fake(), DriverKind::kWorker, listing, launch());
  const std::vector<SliceRequest> both = {request(0), request(1)};
  const std::vector<SliceResult> results = driver->suite_slice(both);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(counter(results[1], "case_id"), 1);
  Executable silent = fake();
  silent.speaks_protocol = false;
  EXPECT_THROW(launch_arm(silent, DriverKind::kWorker, listing, launch()), std::logic_error);
}

}  // namespace
}  // namespace perfgate::measure
