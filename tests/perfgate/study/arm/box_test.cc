// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/box.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/io/read_file.h"

namespace perfgate::study {
namespace {

class BoxTest : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      boxes_ = FindBoxes(true);
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    std::filesystem::create_directories(folder_.file("src"));
  }

  BoxResult Run(const std::string& command, double limit_s = 20, double memory_mib = 400) {
    const std::string tree = folder_.file("src");
    return RunStep(boxes_, {.command = command,
                            .tree = tree,
                            .place = PlaceFor(tree),
                            .log = folder_.file("log"),
                            .limit_s = limit_s,
                            .memory_mib = memory_mib});
  }

  std::string Log() { return read_small_file(folder_.file("log")); }

  PrivateFolder folder_{"perfgate-box-test-"};
  Boxes boxes_;
};

TEST_F(BoxTest, WritesIntoItsTreeAndNowhereElse) {
  write_file_atomically(folder_.file("other"), "as it was");
  const BoxResult result = Run("echo made > mine; echo x > " + folder_.file("other") +
                               "; echo x > /usr/perfgate-x; true");
  EXPECT_EQ(result.end, BoxEnd::kDone);
  EXPECT_EQ(read_small_file(folder_.file("src/mine")), "made\n");
  EXPECT_EQ(read_small_file(folder_.file("other")), "as it was");
  EXPECT_FALSE(std::filesystem::exists("/usr/perfgate-x"));
}

TEST_F(BoxTest, HasNoNetwork) {
  Run("cat /proc/net/dev | tail -n +3 | cut -d: -f1");
  EXPECT_EQ(Log(), "    lo\n");
}

TEST_F(BoxTest, EndsAreToldApart) {
  EXPECT_EQ(Run("exit 3").text, "exited with code 3");
  EXPECT_EQ(Run("exit 3").end, BoxEnd::kFailed);
  EXPECT_EQ(Run("kill -SEGV $$").end, BoxEnd::kSignal);
  EXPECT_EQ(Run("sleep 20", 0.2).end, BoxEnd::kTimeout);
  EXPECT_EQ(Run("yes 0123456789012345678901234567890123456789").end, BoxEnd::kTooMuchOutput);
  EXPECT_EQ(Run("x=$(tail -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}", 20, 100).end,
            BoxEnd::kMemory);
}

TEST_F(BoxTest, WithoutASandboxTheProgramItselfCounts) {
  boxes_ = FindBoxes(false);
  EXPECT_EQ(
      Run("exec sh -c 'x=$(tail -c 300000000 /dev/zero | tr \"\\0\" x); echo ${#x}'", 20, 100).end,
      BoxEnd::kMemory);
}

TEST_F(BoxTest, BothStreamsAreInTheLog) {
  Run("echo out; echo err >&2");
  EXPECT_EQ(Log(), "out\nerr\n");
}

TEST(Box, PlacesAreAsLongAsTheTree) {
  for (const std::string& tree : {std::string("/a/b/src"), "/" + std::string(300, 'x') + "/src"}) {
    EXPECT_EQ(PlaceFor(tree).size(), tree.size());
    EXPECT_NE(PlaceFor(tree).back(), '/');
  }
}

TEST_F(BoxTest, HasTheNetworkOnlyWhereItIsGivenOne) {
  const std::string ours = std::filesystem::read_symlink("/proc/self/ns/net").string() + "\n";
  const std::string tree = folder_.file("src");
  BoxStep step{.command = "readlink /proc/self/ns/net",
               .tree = tree,
               .place = PlaceFor(tree),
               .log = folder_.file("log"),
               .limit_s = 20,
               .memory_mib = 400};
  ASSERT_EQ(RunStep(boxes_, step).end, BoxEnd::kDone);
  EXPECT_NE(Log(), ours);
  step.network = true;
  ASSERT_EQ(RunStep(boxes_, step).end, BoxEnd::kDone);
  EXPECT_EQ(Log(), ours);
}

}  // namespace
}  // namespace perfgate::study
