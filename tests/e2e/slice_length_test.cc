// SPDX-License-Identifier: Apache-2.0
// slice_length_test.cc: slices get longer to make up for set-up, and only for set-up, and what else
// a slice takes of the wall is foreseen. Times are declared by the benchmark, so iterations are
// known as far as sleeping is exact.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "perfgate/evidence/files/files.h"

namespace {

const perfgate::CaseInfo& case_named(const perfgate::Session& session, const std::string& name) {
  for (const perfgate::CaseInfo& info : session.cases) {
    if (info.name == name) return info;
  }
  throw std::runtime_error("no case " + name);
}

// One round of the benchmark's cases that `filter` names.
perfgate::Session MeasuredOnce(const std::string& filter) {
  const std::string file =
      (std::filesystem::temp_directory_path() /
       ("perfgate-slices-" + filter + "-" + std::to_string(getpid()) + ".json"))
          .string();
  const std::string command = std::string(PERFGATE_EXE) + " run " + SLICE_BENCH_EXE + " --filter " +
                              filter + " --rounds 1 --session " + file + " > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  perfgate::Session session = perfgate::read_session(file);
  std::filesystem::remove(file);
  return session;
}

TEST(SliceLength, MakesUpForSetUpAlone) {
  const perfgate::Session session = MeasuredOnce(".");
  // 10 ms of 100 us each, and some room for a busy machine, where sleeping is long.
  EXPECT_GE(case_named(session, "nothing_else/manual_time").iterations, 100);
  EXPECT_LT(case_named(session, "nothing_else/manual_time").iterations, 1000);
  // 30 ms of set-up are to be a fifth at most, which takes 1,200; what a busy machine adds can only
  // ask for more.
  EXPECT_GE(case_named(session, "set_up/manual_time").iterations, 1200);
  // Taken for set-up, the 60 ms of a slice would ask for 2,000, and they would bring 1.2 s.
  EXPECT_LT(case_named(session, "between_iterations/manual_time").iterations, 1000);
}

TEST(SliceLength, UntimedWorkIsForeseen) {
  // 4 slices and one to warm up of 100 iterations, each of which takes 600 us of the wall.
  const perfgate::Session session = MeasuredOnce("between");
  EXPECT_GE(session.schedule.round_s, 5 * 100 * 600e-6);
}

}  // namespace
