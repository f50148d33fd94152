// SPDX-License-Identifier: Apache-2.0
// An arm names its libraries itself: by that it gets sight of nobody else's files, and hides none
// that another arm needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/sha256.h"
#include "perfgate/measure/isolation/isolation.h"
#include "tests/perfgate/measure/isolation/sandboxed.h"

namespace perfgate::measure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kBaseline = 0, kCandidate = 1;

// On a machine without any means of isolation, where nothing is started.
class NamedLibraries : public testing::Test {
 protected:
  NamedLibraries() {
    for (const char* label : {"baseline", "candidate"}) {
      ArmPlan arm{label, {}};
      arm.executable.path = Write(std::string(label) + "/bench");
      arm.executable.digest = std::string("sha256:") + label;
      arms_.push_back(arm);
    }
  }

  std::string Write(const std::string& name) const {
    const std::string path = folder_.file(name);
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << name;
    return path;
  }

  // kPass: the arm may name this library.
  Exit Naming(std::size_t arm, const std::string& library) {
    Executable executable = arms_[arm].executable;
    executable.libraries = {library};
    const Isolation isolation(Abilities{}, {.use = IsolationUse::kBest, .hidden = hidden_});
    Launch launch;
    try {
      isolation.Isolate(arms_, arm, executable, launch);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(executable.path + ": names " + library));
      return error.exit();
    }
    return Exit::kPass;
  }

  std::string LinkTo(const std::string& file) const {
    std::string link = folder_.file("candidate/libx.so");
    fs::remove(link);
    fs::create_symlink(file, link);
    return link;
  }

  PrivateFolder folder_{"perfgate-isolation-test-"};
  std::vector<ArmPlan> arms_;
  std::vector<std::string> hidden_;
};

TEST_F(NamedLibraries, AreItsOwnOrTheSystems) {
  EXPECT_EQ(Naming(kCandidate, Write("candidate/libx.so")), Exit::kPass);
  EXPECT_EQ(Naming(kCandidate, Write("elsewhere/libx.so")), Exit::kPass);
  EXPECT_EQ(Naming(kCandidate, "/usr/lib/libx.so"), Exit::kPass);
  EXPECT_EQ(Naming(kCandidate, arms_[kCandidate].executable.path), Exit::kPass);
}

TEST_F(NamedLibraries, AreNotTheProgramOfAnotherArm) {
  const std::string& program = arms_[kBaseline].executable.path;
  EXPECT_EQ(Naming(kCandidate, program), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, folder_.file("candidate/../baseline/bench")), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, LinkTo(program)), Exit::kInvalid);
  EXPECT_EQ(Naming(kBaseline, arms_[kCandidate].executable.path), Exit::kInvalid);
  arms_[kCandidate].executable.digest = arms_[kBaseline].executable.digest;
  EXPECT_EQ(Naming(kCandidate, program), Exit::kPass) << "it is the same program";
}

TEST_F(NamedLibraries, AreNoFilesOfTheGate) {
  const std::string key = Write("gate/key");
  const std::string session = Write("gate/store/linux/session.json");
  EXPECT_EQ(Naming(kCandidate, key), Exit::kPass);
  hidden_ = {key, folder_.file("gate/store")};
  EXPECT_EQ(Naming(kCandidate, key), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, LinkTo(key)), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, session), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, folder_.file("gate/store")), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, LinkTo(session)), Exit::kInvalid);
  EXPECT_EQ(Naming(kCandidate, Write("gate/store-like/libx.so")), Exit::kPass);
  hidden_ = {LinkTo(folder_.file("gate/store"))};
  EXPECT_EQ(Naming(kCandidate, session), Exit::kInvalid) << "the gate knows it by a link";
}

// The candidate may read the whole folder of the test.
class HiddenLibraries : public SandboxedScripts {
 protected:
  // An arm of a script, in its own folder, with a library there.
  ArmPlan Arm(const std::string& script, const std::string& body,
              const std::string& library) const {
    const std::string path = folder_.file(script);
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    ::chmod(path.c_str(), 0755);
    ArmPlan arm{script, inspect_executable(path)};
    arm.executable.libraries = {folder_.file(library)};
    arm.executable.file_digests.push_back(sha256_hex(kContent));
    return arm;
  }

  // Whether the candidate can read the library that the baseline names.
  bool Sees(const std::string& library, const std::string& baseline, const std::string& candidate) {
    const std::string file = folder_.file(library);
    for (const std::string& path : {file, folder_.file("own/libown.so")}) {
      fs::create_directories(fs::path(path).parent_path());
      std::ofstream(path) << kContent;
    }
    const std::string body = "grep -qs content '" + file + "' && echo seen || echo not seen";
    const std::vector<ArmPlan> arms = {Arm(baseline, "true", library),
                                       Arm(candidate, body, "own/libown.so")};
    const Isolation isolation(abilities_, {.use = IsolationUse::kBest, .read = {folder_.path()}});
    ChildProcess child(Isolated(isolation, arms));
    EXPECT_TRUE(child.wait_exit(Deadline::in(20)));
    const std::string says = child.output_tail(4000);
    EXPECT_TRUE(says == "seen" || says == "not seen") << says;
    return says == "seen";
  }

  static constexpr const char* kContent = "content";
};

TEST_F(HiddenLibraries, LieBesideTheProgramThatNamesThem) {
  EXPECT_FALSE(Sees("base/libx.so", "base/bench.sh", "own/bench.sh"));
  EXPECT_FALSE(Sees("base/deep/er/libx.so", "base/bench.sh", "own/bench.sh"));
}

TEST_F(HiddenLibraries, LieBesideTheFolderBin) {
  EXPECT_FALSE(Sees("base/lib/libx.so", "base/bin/bench.sh", "own/bench.sh"));
  EXPECT_TRUE(Sees("base/lib/libx.so", "base/build/bench.sh", "own/bench.sh"))
      << "no other folder has others beside it";
}

// A program that names what another one needs would make it fail, or slow.
TEST_F(HiddenLibraries, AreNotFoundElsewhere) {
  EXPECT_TRUE(Sees("shared/libx.so", "base/bench.sh", "own/bench.sh"));
  EXPECT_TRUE(Sees("own/libx.so", "base/bench.sh", "own/bench.sh"));
  EXPECT_TRUE(Sees("baseline/libx.so", "base/bench.sh", "own/bench.sh"));
}

TEST_F(HiddenLibraries, AreNotTheOnesOfAFolderThatBothLieIn) {
  EXPECT_TRUE(Sees("build/libx.so", "build/old.sh", "build/new.sh"));
  EXPECT_TRUE(Sees("build/lib/libx.so", "build/bin/old.sh", "build/bin/new.sh"));
}

}  // namespace
}  // namespace perfgate::measure
