// SPDX-License-Identifier: Apache-2.0
// slice_length_test.cc: slices get longer to make up for set-up, and only for set-up. Times are
// declared by the benchmark, so iterations are known as far as sleeping is exact.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "perfgate/evidence/files.h"

namespace {

const perfgate::CaseInfo& case_named(const perfgate::Session& session, const std::string& name) {
  for (const perfgate::CaseInfo& info : session.cases) {
    if (info.name == name) return info;
  }
  throw std::runtime_error("no case " + name);
}

TEST(SliceLength, MakesUpForSetUpAlone) {
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("perfgate-slices-" + std::to_string(getpid()) + ".json"))
                               .string();
  const std::string command = std::string(PERFGATE_EXE) + " run " + SLICE_BENCH_EXE +
                              " --rounds 1 --session " + file + " > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const perfgate::Session session = perfgate::read_session(file);
  std::filesystem::remove(file);
  // 10 ms of 100 us each, and some room for a busy machine, where sleeping is long.
  EXPECT_GE(case_named(session, "nothing_else/manual_time").iterations, 100);
  EXPECT_LT(case_named(session, "nothing_else/manual_time").iterations, 1000);
  // 30 ms of set-up are to be a fifth at most, which takes 1,200. What a busy machine adds to the
  // slices that tell set-up from the rest moves that, but not to a slice of the usual length.
  EXPECT_GE(case_named(session, "set_up/manual_time").iterations, 250);
  EXPECT_LE(case_named(session, "set_up/manual_time").iterations, 2000);
  // Taken for set-up, 60 ms would ask for 2,000, and they would bring 1.2 s. What a busy machine
  // adds to slices of one length may look like some set-up.
  EXPECT_LT(case_named(session, "between_iterations/manual_time").iterations, 1900);
}

}  // namespace
