// SPDX-License-Identifier: Apache-2.0
// When two executables count as one and the same, and when as builds that cannot be compared, on
// the command line. Times are constants that a library names, so that no noise decides: the slow
// one says 20 % more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class IdentityTest : public testing::Test {
 protected:
  // A build in `folder`: the program and what it finds beside it.
  void BuildPlugin(const std::string& folder, const char* plugin) const {
    fs::create_directories(folder_ / folder);
    fs::copy_file(PLUGIN_EXE, folder_ / (folder + "/bench"));
    fs::copy_file(plugin, folder_ / (folder + "/plugin.so"));
  }
  void BuildLibrary(const std::string& folder, const char* library) const {
    fs::create_directories(folder_ / (folder + "/bin"));
    fs::create_directories(folder_ / (folder + "/lib"));
    fs::copy_file(LIBRARY_EXE, folder_ / (folder + "/bin/bench"));
    fs::copy_file(library, folder_ / (folder + "/lib/" + LibraryName()));
  }
  static std::string LibraryName() { return fs::path(FAST_LIBRARY).filename().string(); }

  // variables: "A=1 B=2"
  Finished Gate(const std::string& baseline, const std::string& candidate,
                const std::string& more = "", const std::string& variables = "") const {
    Command command;
    command.arguments = {"/bin/sh", "-c",
                         "cd '" + folder_.path() + "' && " + variables + " '" + PERFGATE_EXE +
                             "' gate --baseline " + baseline + " --candidate " + candidate +
                             " --rounds 10 --slice 1ms --pairs 1 --json v.json " + more};
    return run_command(command);
  }
  SuiteVerdict VerdictFile() const { return read_verdict(folder_ / "v.json"); }
  std::size_t Starts() const {
    std::error_code error;
    const auto size = fs::file_size(folder_ / "log", error);
    return error ? 0 : static_cast<std::size_t>(size);
  }
  void ExpectExit(const Finished& finished, Exit exit) const {
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.out << finished.err;
  }

  TemporaryFolder folder_;
};

TEST_F(IdentityTest, AChangedPluginIsMeasuredAndFound) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", SLOW_LIBRARY);
  for (const char* how : {"", "PLUGIN_CASES_OWN=1"}) {
    ExpectExit(Gate("old/bench", "new/bench", "", how), Exit::kRegression);
    EXPECT_FALSE(VerdictFile().identical);
    ExpectExit(Gate("new/bench", "old/bench", "", how), Exit::kPass);
    EXPECT_FALSE(VerdictFile().identical);
  }
}

TEST_F(IdentityTest, AnUnchangedTreeIsProvenOnceAndKnownAfterwards) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", FAST_LIBRARY);
  for (const char* how : {"", "PLUGIN_CASES_OWN=1 "}) {
    fs::remove_all(folder_ / ".cache");
    const std::string variables = std::string(how) + "PLUGIN_CASES_LOG=log";
    fs::remove(folder_ / "log");
    ExpectExit(Gate("old/bench", "new/bench", "", variables), Exit::kPass);
    EXPECT_TRUE(VerdictFile().identical) << how;
    const std::size_t first = Starts();
    fs::remove(folder_ / "log");
    ExpectExit(Gate("old/bench", "new/bench", "", variables), Exit::kPass);
    EXPECT_TRUE(VerdictFile().identical) << how;
    EXPECT_LT(Starts(), first) << "only its cases are listed";
    // The file that was mapped the last time has changed since.
    fs::copy_file(SLOW_LIBRARY, folder_ / "new/plugin.so", fs::copy_options::overwrite_existing);
    ExpectExit(Gate("old/bench", "new/bench", "", variables), Exit::kRegression);
    fs::copy_file(FAST_LIBRARY, folder_ / "new/plugin.so", fs::copy_options::overwrite_existing);
  }
}

TEST_F(IdentityTest, IsProvenUnderTheSettingsOfTheArms) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", FAST_LIBRARY);
  const std::string log = "PLUGIN_CASES_LOG=" + (folder_ / "log");
  const std::string settings = "--baseline-env " + log + " --candidate-env " + log;
  ExpectExit(Gate("old/bench", "new/bench", settings), Exit::kPass);
  EXPECT_TRUE(VerdictFile().identical);
  const std::size_t first = Starts();
  fs::remove(folder_ / "log");
  ExpectExit(Gate("old/bench", "new/bench", settings), Exit::kPass);
  EXPECT_LT(Starts(), first) << "only its cases are listed";
  fs::remove(folder_ / "log");
  ExpectExit(Gate("old/bench", "new/bench", settings + " --candidate-env A=1 --baseline-env A=1"),
             Exit::kPass);
  EXPECT_EQ(Starts(), first) << "what is known holds for the same settings alone";
}

TEST_F(IdentityTest, WithoutAProofItIsMeasured) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", FAST_LIBRARY);
  const Finished finished = Gate("old/bench", "new/bench", "--no-preload");
  ExpectExit(finished, Exit::kPass);
  EXPECT_FALSE(VerdictFile().identical);
  EXPECT_GT(VerdictFile().rounds, 0);
  EXPECT_THAT(finished.out, HasSubstr("one digest and were measured"));
}

TEST_F(IdentityTest, LauncherScriptsAreMeasured) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", SLOW_LIBRARY);
  for (const char* build : {"old", "new"}) {
    const std::string script = folder_ / (std::string(build) + "/launch");
    std::ofstream(script)
        << "#!/bin/sh\nexec \"$(dirname \"$(readlink -f \"$0\")\")/bench\" \"$@\"\n";
    fs::permissions(script, fs::perms::owner_all);
  }
  const Finished finished = Gate("old/launch", "new/launch");
  ExpectExit(finished, Exit::kRegression);
  EXPECT_THAT(finished.out, HasSubstr("they are scripts"));
  ExpectExit(Gate("old/launch", "old/launch"), Exit::kPass);
  EXPECT_FALSE(VerdictFile().identical);
}

TEST_F(IdentityTest, OneLibraryForBothIsNotComparable) {
  BuildLibrary("old", FAST_LIBRARY);
  BuildLibrary("new", SLOW_LIBRARY);
  ExpectExit(Gate("old/bin/bench", "new/bin/bench"), Exit::kRegression);
  for (const char* where : {"old", "new"}) {
    const std::string folder = folder_ / (std::string(where) + "/lib");
    const Finished finished =
        Gate("old/bin/bench", "new/bin/bench", "", "LD_LIBRARY_PATH=" + folder);
    ExpectExit(finished, Exit::kNotComparable);
    EXPECT_THAT(finished.err, HasSubstr(folder + "/" + LibraryName()));
    EXPECT_THAT(finished.err, HasSubstr(std::string("the build of the ") +
                                        (std::string(where) == "old" ? "baseline" : "candidate")));
    EXPECT_THAT(finished.err, HasSubstr("LD_LIBRARY_PATH sends both there"));
  }
  // A library of neither build is everybody's.
  fs::create_directories(folder_ / "common");
  fs::copy_file(FAST_LIBRARY, folder_ / ("common/" + LibraryName()));
  ExpectExit(Gate("old/bin/bench", "new/bin/bench", "", "LD_LIBRARY_PATH=" + (folder_ / "common")),
             Exit::kPass);
}

// Unmodified executables tell by their debug information how they were built.
TEST_F(IdentityTest, AnUnmodifiedBuildOfAnotherTypeIsNotComparable) {
  const std::string debug = STOCK_DEBUG_EXE;
  const std::string optimised = STOCK_EXE;
  for (const char* how : {"", "--no-preload"}) {
    const Finished finished = Gate(debug, optimised, how);
    if (!finished.out.empty() && finished.out.find("GNU ") == std::string::npos) {
      GTEST_SKIP() << "this compiler does not record its switches";
    }
    ExpectExit(finished, Exit::kNotComparable);
    EXPECT_THAT(finished.out, HasSubstr("build_type_mismatch: optimised no against yes"));
    // Without debug information nothing can be said, and nothing is.
    Command strip;
    strip.arguments = {STRIP_EXE, "-o", folder_ / "stripped", debug};
    ASSERT_EQ(run_command(strip).exit_code, 0);
    ExpectExit(Gate("stripped", optimised, how), Exit::kPass);
    EXPECT_TRUE(VerdictFile().warnings.empty() ||
                VerdictFile().warnings.front().find("optimis") == std::string::npos);
  }
}

// As for libraries, a plugin that is opened by its name while a case runs.
TEST_F(IdentityTest, OnePluginForBothIsNotComparable) {
  BuildPlugin("old", FAST_LIBRARY);
  BuildPlugin("new", SLOW_LIBRARY);
  const Finished finished =
      Gate("old/bench", "new/bench", "",
           "PLUGIN_CASES_NAME=plugin.so LD_LIBRARY_PATH=" + (folder_ / "old"));
  ExpectExit(finished, Exit::kNotComparable);
  EXPECT_THAT(finished.err,
              HasSubstr("/old/plugin.so, which belongs to the build of the baseline"));
  EXPECT_THAT(finished.err, HasSubstr("LD_LIBRARY_PATH sends both there"));
}

}  // namespace
}  // namespace perfgate
