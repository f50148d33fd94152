// SPDX-License-Identifier: Apache-2.0
// Unmodified executables made workers by the preloaded library: what it takes over, what it
// refuses, and that only the number of launches differs.
#include "perfgate/measure/driver/preload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/os/child_environment.h"
#include "perfgate/measure/driver/arm.h"
#include "perfgate/measure/driver/arm_error.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"
#include "tests/perfgate/measure/fixtures/two_arms.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class PreloadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (dynamic_.benchmark_library.empty()) GTEST_SKIP() << "libbenchmark is a static library here";
  }

  Launch PreloadedLaunch() const {
    Launch launch;
    launch.exec_path = dynamic_.path;
    launch.preload = PERFGATE_WORKER_SHIM;
    return launch;
  }

  Listing ListedAs(const std::string& mode) const {
    const ScopedVariable variable("DYNAMIC_BENCH", mode);
    return list_arm(dynamic_, PreloadedLaunch(), kPatience);
  }

  static std::set<std::string> NamesOf(const Listing& listing) {
    std::set<std::string> names;
    for (const CaseInfo& info : listing.cases) names.insert(info.name);
    return names;
  }

  const Executable dynamic_ = inspect_executable(PERFGATE_DYNAMIC_BENCH);
  PrivateFolder folder_{"perfgate-test-"};
};

class PreloadedDriver : public PreloadTest {
 protected:
  SliceResult Slice(const std::string& name, std::int64_t iterations,
                    const std::string& mode = "") {
    const ScopedVariable variable("DYNAMIC_BENCH", mode);
    const Listing listing = list_arm(dynamic_, PreloadedLaunch(), kPatience);
    const auto driver = launch_arm(dynamic_, DriverKind::kWorker, listing, PreloadedLaunch());
    const auto found = std::find_if(listing.cases.begin(), listing.cases.end(),
                                    [&](const CaseInfo& info) { return info.name == name; });
    if (found == listing.cases.end()) {
      ADD_FAILURE() << name << " is not listed";
      return {};
    }
    SliceRequest request;
    request.case_id = static_cast<std::size_t>(found - listing.cases.begin());
    request.iterations = iterations;
    request.limit_s = kPatience;
    SliceResult result = driver->slice(request);
    departure_ = driver->quit();
    return result;
  }

  Departure departure_;
};

TEST_F(PreloadTest, MatchesTheVersionOfTheLibraryAndNoOther) {
  EXPECT_TRUE(PreloadingOf(dynamic_, PERFGATE_WORKER_SHIM).possible);
  EXPECT_THAT(PreloadingOf(dynamic_, PERFGATE_WORKER_SHIM).why_not, IsEmpty());
  EXPECT_FALSE(PreloadingOf(dynamic_, "").possible);

  Executable other = dynamic_;
  other.benchmark_library = folder_.file("libbenchmark.so.1.6.9");
  fs::copy_file(dynamic_.benchmark_library, other.benchmark_library);
  EXPECT_FALSE(PreloadingOf(other, PERFGATE_WORKER_SHIM).possible);
  EXPECT_THAT(PreloadingOf(other, PERFGATE_WORKER_SHIM).why_not,
              AllOf(HasSubstr("Google Benchmark 1.6.9"),
                    HasSubstr(LibraryVersion(dynamic_.benchmark_library))));

  other.benchmark_library = folder_.file("libbenchmark.so.1");
  fs::copy_file(dynamic_.benchmark_library, other.benchmark_library);
  EXPECT_THAT(PreloadingOf(other, PERFGATE_WORKER_SHIM).why_not, HasSubstr("does not tell"));

  // The right name on a library whose strings are those of another standard library.
  other.benchmark_library =
      folder_.file("libbenchmark.so." + LibraryVersion(dynamic_.benchmark_library));
  std::ofstream(other.benchmark_library) << "NSt3__112basic_string";
  EXPECT_THAT(PreloadingOf(other, PERFGATE_WORKER_SHIM).why_not, HasSubstr("standard library"));
}

TEST_F(PreloadTest, IsForUnmodifiedProgramsThatCanLoadItFirst) {
  Executable executable = dynamic_;
  executable.benchmark_library.clear();
  EXPECT_FALSE(PreloadingOf(executable, PERFGATE_WORKER_SHIM).possible);
  EXPECT_THAT(PreloadingOf(executable, PERFGATE_WORKER_SHIM).why_not, IsEmpty())
      << "a static library is no defect to speak of";
  executable = dynamic_;
  executable.speaks_protocol = true;
  EXPECT_FALSE(PreloadingOf(executable, PERFGATE_WORKER_SHIM).possible);
  executable = dynamic_;
  executable.sanitizer = "address";
  EXPECT_THAT(PreloadingOf(executable, PERFGATE_WORKER_SHIM).why_not, HasSubstr("address"));
  EXPECT_THAT(PreloadingOf(dynamic_, "/a folder/libperfgate_worker.so").why_not,
              HasSubstr("space"));
}

TEST_F(PreloadTest, KeepsWhatTheUserPreloads) {
  const ScopedVariable variable("LD_PRELOAD", "/usr/lib/libother.so:libmore.so");
  EXPECT_EQ(PreloadVariables("/x/libperfgate_worker.so").front().second,
            "/x/libperfgate_worker.so:/usr/lib/libother.so:libmore.so");
}

TEST_F(PreloadTest, ListsWhatAProcessLists) {
  const Listing preloaded = ListedAs("");
  EXPECT_TRUE(preloaded.by_worker);
  EXPECT_THAT(preloaded.no_worker, IsEmpty());
  EXPECT_EQ(preloaded.library, LibraryVersion(dynamic_.benchmark_library));
  EXPECT_FALSE(preloaded.build.known) << "the library knows how it was built, not the executable";
  Launch plain;
  plain.exec_path = dynamic_.path;
  EXPECT_EQ(NamesOf(preloaded), NamesOf(list_arm(dynamic_, plain, kPatience)));
  EXPECT_THAT(NamesOf(preloaded), Contains("in main"));
}

TEST_F(PreloadTest, MainsOfTheirOwnWork) {
  for (const char* mode : {"reporter", "twice"}) {
    const Listing listing = ListedAs(mode);
    EXPECT_TRUE(listing.by_worker) << mode << ": " << listing.no_worker;
    EXPECT_EQ(NamesOf(listing), NamesOf(ListedAs(""))) << mode;
  }
}

TEST_F(PreloadTest, WhatCannotBeAWorkerIsListedByProcessesAndSaysWhy) {
  const std::vector<std::pair<std::string, std::string>> reasons = {
      {"spec", "chooses its cases itself: it runs those that match '^Spin'"},
      {"collects", "exited with code 5 when asked to quit"}};
  for (const auto& [mode, reason] : reasons) {
    const Listing listing = ListedAs(mode);
    EXPECT_FALSE(listing.by_worker) << mode;
    EXPECT_THAT(listing.no_worker, HasSubstr(reason)) << mode;
    EXPECT_FALSE(listing.cases.empty()) << mode;
  }
  EXPECT_THROW(ListedAs("never"), ArmError) << "it runs no case in any way";
  // Google Benchmark 1.7 crashes where a program runs its cases twice and writes a file.
  try {
    EXPECT_THAT(ListedAs("later").no_worker, HasSubstr("registered other cases between two runs"));
  } catch (const ArmError& error) {
    EXPECT_THAT(error.what(), HasSubstr("registered other cases between two runs"));
  }
}

TEST_F(PreloadedDriver, RunsExactCountsOfEveryKindOfCase) {
  EXPECT_EQ(counter(Slice("Spin/8", 7), "n"), 7);
  EXPECT_EQ(counter(Slice("pair/1/2", 3), "n"), 3);
  EXPECT_EQ(counter(Slice("in main", 11), "n"), 11);
  const SliceResult fixed = Slice("fixed/iterations:5", 20);
  EXPECT_EQ(fixed.iterations, 20);
  EXPECT_EQ(counter(fixed, "n"), 5) << "runs of five, as the case asks for";
  const SliceResult threads = Slice("threads/real_time/threads:2", 9);
  EXPECT_FALSE(threads.fault) << threads.detail;
  EXPECT_EQ(counter(threads, "n"), 18);
  EXPECT_DOUBLE_EQ(Slice("Manual/manual_time", 4).real_s, 1.5e-3);
  EXPECT_THAT(departure_.detail, IsEmpty());
}

TEST_F(PreloadedDriver, FaultsAreThoseOfTheCase) {
  const SliceResult error = Slice("Errors", 5);
  EXPECT_EQ(error.fault, FaultKind::kError);
  EXPECT_EQ(error.detail, "the result is wrong");
  const SliceResult crash = Slice("Fragile", 5, "crash");
  EXPECT_EQ(crash.fault, FaultKind::kCrashed);
  EXPECT_THAT(crash.detail, HasSubstr("signal 11"));
  EXPECT_THAT(crash.detail, HasSubstr("Fragile"));
}

TEST_F(PreloadedDriver, WhatTheProgramStartsIsNoWorker) {
  EXPECT_EQ(counter(Slice("Inherits", 2), "inherits"), 0);
}

std::size_t LaunchesOf(const std::string& shim, const std::string& log, Session* session) {
  const ScopedVariable variable("DYNAMIC_BENCH_LOG", log);
  MeasurePlan plan;
  plan.worker_shim = shim;
  plan.policy.filter = "^Spin|^in main$";
  std::ofstream(log).close();
  *session = measured_twice(PERFGATE_DYNAMIC_BENCH, plan, 3);
  return fs::file_size(log);
}

TEST_F(PreloadTest, ARoundIsOneLaunchOfAnArm) {
  Session by_worker;
  Session by_processes;
  const std::size_t few = LaunchesOf(PERFGATE_WORKER_SHIM, folder_.file("log"), &by_worker);
  const std::size_t many = LaunchesOf("", folder_.file("log"), &by_processes);
  EXPECT_EQ(by_worker.arms[0].driver, DriverKind::kWorker);
  EXPECT_NE(by_processes.arms[0].driver, DriverKind::kWorker);
  // Listing, calibration, a tried launch and three rounds of two arms each.
  EXPECT_LE(few, 12U);
  EXPECT_GE(many, 2 * few);
  EXPECT_THAT(by_worker.faults, IsEmpty());
  EXPECT_THAT(by_processes.warnings, Not(Contains(HasSubstr("preloaded"))));
}

// One arm's own library, beside it, of another release: both arms are run by processes.
TEST_F(PreloadTest, ArmsOfMixedVersionsAreNotPreloaded) {
  const std::string library = dynamic_.benchmark_library;
  const std::string program = folder_.file("dynamic_bench");
  fs::copy_file(PERFGATE_DYNAMIC_BENCH, program);
  fs::copy_file(library, folder_.file("libbenchmark.so.1.6.9"));
  fs::create_symlink("libbenchmark.so.1.6.9", folder_.file(fs::path(library).filename()));
  MeasurePlan plan;
  plan.worker_shim = PERFGATE_WORKER_SHIM;
  plan.policy.filter = "^Spin/8$";
  plan.arms.push_back({"other", inspect_executable(program)});
  ASSERT_EQ(LibraryVersion(plan.arms[0].executable.benchmark_library), "1.6.9");
  const Session session = measured_twice(PERFGATE_DYNAMIC_BENCH, plan, 1);
  EXPECT_THAT(session.warnings, Contains(HasSubstr("other: a process for every slice")));
  for (const ArmInfo& arm : session.arms) EXPECT_NE(arm.driver, DriverKind::kWorker) << arm.label;
  EXPECT_NE(session.arms[0].library, session.arms[1].library);
  EXPECT_THAT(session.faults, IsEmpty());
}

}  // namespace
}  // namespace perfgate::measure
