// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/path_slots.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "perfgate/base/error.h"
#include "tests/perfgate/measure/fixtures/fixtures.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;

TEST(PathSlots, SlotsSwapAndArmsFollow) {
  const PathSlots slots({"/bin/sh", "/usr/bin/env"});
  const std::string first = slots.Point(0, "/bin/sh");
  const std::string second = slots.Point(1, "/usr/bin/env");
  EXPECT_NE(first, second);
  EXPECT_EQ(first.size(), second.size());
  EXPECT_EQ(fs::path(first).filename(), fs::path(second).filename());
  EXPECT_EQ(fs::read_symlink(first), "/bin/sh");
  EXPECT_EQ(fs::read_symlink(second), "/usr/bin/env");

  EXPECT_EQ(slots.Point(0, "/usr/bin/env"), first);
  EXPECT_EQ(slots.Point(1, "/bin/sh"), second);
  EXPECT_EQ(fs::read_symlink(first), "/usr/bin/env");
  EXPECT_EQ(fs::read_symlink(second), "/bin/sh");
}

TEST(PathSlots, ACommonNameIsKept) {
  const PathSlots slots({"a/bench_gemm", "somewhere/else/bench_gemm", "c/bench_gemm"});
  for (int slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(fs::path(slots.Point(slot, "any/bench_gemm")).filename(), "bench_gemm");
  }
  EXPECT_EQ(fs::read_symlink(slots.Point(0, "a/bench_gemm")), fs::current_path() / "a/bench_gemm");
}

TEST(PathSlots, TheFolderIsPrivateAndGoes) {
  std::string folder;
  {
    const PathSlots slots({"/bin/sh"});
    folder = slots.folder();
    struct stat status {};
    ASSERT_EQ(::stat(folder.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_THROW(slots.Point(1, "/bin/sh"), std::logic_error);
    EXPECT_THROW(slots.Point(-1, "/bin/sh"), std::logic_error);
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(PathSlots, AnUnusableTemporaryFolderIsNamed) {
  const ScopedVariable variable("TMPDIR", "/proc");
  try {
    const PathSlots slots({"/bin/sh"});
    FAIL() << "nothing can be made in /proc";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_NE(std::string(error.what()).find("/proc"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos);
  }
}

}  // namespace
}  // namespace perfgate::measure
