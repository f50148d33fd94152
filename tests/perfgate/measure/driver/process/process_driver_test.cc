// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/process_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>

#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/process_tree.h"
#include "perfgate/measure/driver/arm.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Executable stock() {
  Executable executable;
  executable.path = fixture("stock_bench");
  return executable;
}

Launch stock_launch() { return {fixture("stock_bench"), {}}; }

Listing listing_of(const std::string& mode = "", double limit_s = kPatience) {
  const ScopedVariable variable("STOCK_BENCH", mode);
  return list_processes(stock(), stock_launch(), limit_s);
}

std::vector<std::string> names_of(const Listing& listing) {
  std::vector<std::string> names;
  for (const CaseInfo& info : listing.cases) names.push_back(info.name);
  return names;
}

std::size_t id_of(const Listing& listing, const std::string& name) {
  for (std::size_t i = 0; i < listing.cases.size(); ++i) {
    if (listing.cases[i].name == name) return i;
  }
  ADD_FAILURE() << "no case " << name;
  return 0;
}

SliceRequest stock_request(std::size_t id, double limit_s = kPatience) {
  SliceRequest slice;
  slice.case_id = id;
  slice.iterations = 10;
  slice.seconds = 1e-4;
  slice.limit_s = limit_s;
  return slice;
}

const std::vector<std::string> kNames = {
    "templated<std::map<int, std::string>, std::vector<double>>",
    "spin/8",
    "spin/64",
    "spin fixed/iterations:5",
    "spin threads/real_time/threads:2",
    "spin repeated/repeats:3",
    "manual/manual_time",
    "manual repeated/repeats:2/manual_time",
    "errors",
    "distrusts",
    "affinity",
    "fragile",
    "after fragile",
    "quote\" and \\ backslash",
    "paren(s) [b] {c} a|b ^$ .*+?",
    "comma, space: colon/slash",
    "umlaut \xc3\xbc",
    "latin1 \\xfc end",
    "lambda"};

TEST(ProcessDriver, ListsEveryNameExactly) {
  const Listing listing = listing_of();
  EXPECT_EQ(names_of(listing), kNames);
  const auto info = [&](const std::string& name) { return listing.cases[id_of(listing, name)]; };
  EXPECT_EQ(info("spin threads/real_time/threads:2").threads, 2);
  EXPECT_EQ(info("spin fixed/iterations:5").fixed_iterations, 5);
  EXPECT_EQ(info("manual/manual_time").time, "manual");
  EXPECT_EQ(info("spin/8").time, "real");
  ASSERT_EQ(listing.metrics.size(), 1U);
  EXPECT_EQ(listing.metrics[0].name, "real_time");
  EXPECT_GT(listing.startup_s, 0);
}

TEST(ProcessDriver, NamesWithControlCharacters) {
  EXPECT_THAT(names_of(listing_of("control")), testing::Contains("ctrl \x01\x1f tab\t nl\n end"));
}

TEST(ProcessDriver, ASliceOfEveryCase) {
  const Listing listing = listing_of("control");
  const ScopedVariable variable("STOCK_BENCH", "control");
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
  for (std::size_t id = 0; id < listing.cases.size(); ++id) {
    const CaseInfo& info = listing.cases[id];
    const std::string& name = info.name;
    SCOPED_TRACE(name);
    const SliceResult result = driver->slice(stock_request(id));
    if (name == "distrusts") {
      EXPECT_EQ(result.fault, FaultKind::kInvalid);
      EXPECT_EQ(result.detail, "work after the stop");
      continue;
    }
    if (name == "errors") {
      EXPECT_EQ(result.fault, FaultKind::kError);
      EXPECT_EQ(result.detail, "the result is wrong");
      continue;
    }
    ASSERT_FALSE(result.fault) << result.detail;
    EXPECT_GT(result.real_s, 0);
    EXPECT_GT(result.iterations, 0);
    EXPECT_GT(result.wall_s, 0);
    if (info.time == "manual") {
      EXPECT_DOUBLE_EQ(result.real_s, 1.5e-3);
      EXPECT_NEAR(result.total_s, 1.5e-3 * static_cast<double>(result.iterations), 1e-9);
      EXPECT_EQ(counter(result, "plain"), 42);
      EXPECT_TRUE(std::isnan(counter(result, "never")));
    }
    if (name == "spin fixed/iterations:5") {
      EXPECT_EQ(result.iterations, 5);
    }
    const bool countable = listing.fixed_counts && info.threads == 1 &&
                           info.fixed_iterations == 0 && name.find("repeats") == std::string::npos;
    if (countable) {
      EXPECT_EQ(result.iterations, 10);
    }
  }
  EXPECT_TRUE(driver->alive());
  EXPECT_GT(driver->cpu_seconds(), 0);
  const Departure departure = driver->quit();
  EXPECT_GT(departure.voluntary_switches, 0);
  EXPECT_EQ(departure.leftover_processes, 0);
}

TEST(ProcessDriver, OneProcessForASuite) {
  const Listing listing = listing_of();
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerSuite, listing, stock_launch());
  for (const bool everything : {true, false}) {
    std::vector<SliceRequest> requests;
    for (std::size_t id = everything ? 0 : 1; id < listing.cases.size(); ++id) {
      requests.push_back(stock_request(id));
    }
    std::reverse(requests.begin(), requests.end());
    const std::vector<SliceResult> results = driver->suite_slice(requests);
    ASSERT_EQ(results.size(), requests.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string& name = listing.cases[requests[i].case_id].name;
      EXPECT_EQ(results[i].fault.has_value(), name == "errors" || name == "distrusts")
          << name << results[i].detail;
      if (name == "manual/manual_time") {
        EXPECT_DOUBLE_EQ(results[i].real_s, 1.5e-3);
      }
    }
  }
  EXPECT_TRUE(driver->suite_slice({}).empty());
}

TEST(ProcessDriver, PinningHolds) {
  const Listing listing = listing_of();
  Launch pinned = stock_launch();
  pinned.cpus = {current_affinity().back()};
  const auto driver = launch_processes(stock(), DriverKind::kProcessPerCase, listing, pinned);
  EXPECT_EQ(counter(driver->slice(stock_request(id_of(listing, "affinity"))), "cpu_count"), 1);
  const std::vector<int> all = current_affinity();
  driver->pin(all);
  EXPECT_EQ(counter(driver->slice(stock_request(id_of(listing, "affinity"))), "cpu_count"),
            static_cast<double>(all.size()));
}

struct Expectation {
  const char* mode;
  FaultKind kind;
  const char* detail;
  double limit_s;
};

const std::vector<Expectation> kBreakages = {
    {"crash", FaultKind::kCrashed, "signal 11 (Segmentation fault) in case fragile", kPatience},
    {"exit0", FaultKind::kExited, "exit code 0 in the middle", kPatience},
    {"exit3", FaultKind::kCrashed, "exited with code 3 in case fragile", kPatience},
    {"hang", FaultKind::kTimeout, "no result within 1 s in case fragile", 1},
    {"shadow", FaultKind::kBadValue, "real_time", kPatience}};

TEST(ProcessDriver, ABrokenCaseIsNamedAndTheRestGoesOn) {
  const Listing listing = listing_of();
  const std::size_t fragile = id_of(listing, "fragile");
  for (const auto& [mode, kind, detail, limit_s] : kBreakages) {
    SCOPED_TRACE(mode);
    const ScopedVariable variable("STOCK_BENCH", mode);
    const auto driver =
        launch_processes(stock(), DriverKind::kProcessPerSuite, listing, stock_launch());
    const SliceResult alone = driver->slice(stock_request(fragile, limit_s));
    ASSERT_TRUE(alone.fault);
    EXPECT_EQ(static_cast<int>(*alone.fault), static_cast<int>(kind)) << alone.detail;
    EXPECT_THAT(alone.detail, AllOf(HasSubstr(detail), Not(HasSubstr("\n"))));

    std::vector<SliceRequest> requests;
    for (std::size_t id = 0; id < listing.cases.size(); ++id) {
      const std::string& name = listing.cases[id].name;
      if (name != "errors" && name != "distrusts") requests.push_back(stock_request(id, limit_s));
    }
    const std::vector<SliceResult> results = driver->suite_slice(requests);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].fault.has_value(), requests[i].case_id == fragile)
          << listing.cases[requests[i].case_id].name << ": " << results[i].detail;
      EXPECT_EQ(results[i].real_s > 0, requests[i].case_id != fragile);
    }
    EXPECT_TRUE(descendants(::getpid()).empty());
  }
}

TEST(ProcessDriver, AnEndInDisorderIsTheLastCasesFault) {
  const Listing listing = listing_of();
  const ScopedVariable variable("STOCK_BENCH", "bad_end");
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
  const SliceResult result = driver->slice(stock_request(1));
  EXPECT_EQ(result.fault, FaultKind::kCrashed);
  EXPECT_THAT(result.detail, HasSubstr("signal 6 (Aborted) in case spin/8; last output:"));
  const std::vector<SliceRequest> two = {stock_request(2), stock_request(1)};
  const std::vector<SliceResult> results = driver->suite_slice(two);
  EXPECT_EQ(results[0].fault, FaultKind::kCrashed);
  EXPECT_FALSE(results[1].fault) << results[1].detail;
}

TEST(ProcessDriver, LeftoversAreCountedAndKilled) {
  const Listing listing = listing_of();
  const ScopedVariable variable("STOCK_BENCH", "stray");
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
  SliceRequest once = stock_request(id_of(listing, "fragile"));
  const SliceResult result = driver->slice(once);
  EXPECT_FALSE(result.fault) << result.detail;
  EXPECT_GE(driver->leftover_processes(), 1);
  EXPECT_FALSE(driver->slice(stock_request(1)).fault);
  EXPECT_EQ(driver->leftover_processes(), 0);
  EXPECT_GE(driver->quit().leftover_processes, 1);
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(ProcessDriver, AnUnknownCaseHasNoOutput) {
  Listing listing = listing_of();
  listing.cases[0].name = "no such case";
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
  const SliceResult result = driver->slice(stock_request(0));
  EXPECT_EQ(result.fault, FaultKind::kNoOutput);
  const std::vector<SliceRequest> two = {stock_request(0), stock_request(1)};
  const std::vector<SliceResult> results = driver->suite_slice(two);
  EXPECT_EQ(results[0].fault, FaultKind::kNoOutput);
  EXPECT_FALSE(results[1].fault);
}

TEST(ProcessDriver, ThousandsOfNamesFit) {
  const Listing listing = listing_of("many");
  ASSERT_EQ(listing.cases.size(), kNames.size() + 3000);
  const ScopedVariable variable("STOCK_BENCH", "many");
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerSuite, listing, stock_launch());
  std::vector<SliceRequest> requests;
  for (std::size_t id = kNames.size(); id + 1 < listing.cases.size(); ++id) {
    requests.push_back(stock_request(id));
  }
  for (const SliceResult& result : driver->suite_slice(requests)) {
    ASSERT_FALSE(result.fault) << result.detail;
  }
}

TEST(ProcessListing, BrokenCasesStayListedAndTextDoesNot) {
  std::vector<std::string> expected = kNames;
  std::sort(expected.begin(), expected.end());
  for (const char* mode : {"crash", "exit3", "exit0"}) {
    SCOPED_TRACE(mode);
    std::vector<std::string> names = names_of(listing_of(mode));
    EXPECT_EQ(names[11], "fragile") << "candidates keep the library's order";
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, expected);
  }
}

TEST(ProcessListing, AHangCostsNoMoreThanTheLimit) {
  const std::vector<std::string> names = names_of(listing_of("hang", 3));
  EXPECT_THAT(names, testing::IsSupersetOf({"spin/8", "fragile", "after fragile"}));
  EXPECT_THAT(names, Not(testing::Contains("Model loaded from /dev/null")));
  EXPECT_THAT(names, Not(testing::Contains("Goodbye"))) << "not even after the time is up";
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(ProcessListing, WhatIsNoBenchmarkIsRefused) {
  const auto refused = [&](const std::string& path) -> std::string {
    Executable executable;
    executable.path = path;
    try {
      list_processes(executable, {path, {}}, kPatience);
    } catch (const ArmError& error) {
      return error.what();
    }
    return "listed";
  };
  EXPECT_THAT(refused("/bin/true"), HasSubstr("no Google Benchmark executable"));
  EXPECT_THAT(refused("/bin/false"), HasSubstr("exited with code 1"));
  try {
    list_processes(inspect_executable("/bin/false"), {"/bin/false", {}}, kPatience);
    ADD_FAILURE() << "listed";
  } catch (const ArmError& error) {
    EXPECT_THAT(error.what(), HasSubstr("neither it nor one of its libraries knows"));
    EXPECT_EQ(error.kind(), FaultKind::kNoOutput);
  }
  EXPECT_TRUE(inspect_executable(fixture("stock_bench")).knows_benchmark);
  EXPECT_THAT(refused("/bin/echo"), HasSubstr("no Google Benchmark executable"));
  EXPECT_THAT(refused("/does/not/exist"), HasSubstr("No such file"));
  {
    const ScopedVariable variable("STOCK_BENCH", "no_list");
    EXPECT_THAT(refused(fixture("stock_bench")), HasSubstr("no Google Benchmark executable"));
  }
}

TEST(ProcessDriver, InterruptionEndsASlice) {
  const Listing listing = listing_of();
  const ScopedVariable variable("STOCK_BENCH", "hang");
  const InterruptScope scope;
  const auto driver =
      launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
  ::raise(SIGTERM);
  EXPECT_THROW(driver->slice(stock_request(id_of(listing, "fragile"))), Interrupted);
  EXPECT_TRUE(descendants(::getpid()).empty());
}

TEST(ProcessDriver, NothingLeaks) {
  const Listing listing = listing_of();
  const int before = open_descriptors();
  {
    const auto driver =
        launch_processes(stock(), DriverKind::kProcessPerCase, listing, stock_launch());
    driver->slice(stock_request(1));
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace perfgate::measure
