// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/isolation/isolation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/measure/isolation/find_abilities.h"
#include "tests/perfgate/measure/fixtures/two_arms.h"
#include "tests/perfgate/measure/isolation/sandboxed.h"

namespace perfgate::measure {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Exit ExitOf(const std::function<void()>& call, std::string* what = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (what != nullptr) *what = error.what();
    return error.exit();
  }
  return Exit::kPass;
}

std::string FaultsOf(const Session& session) {
  std::string faults;
  for (const Fault& fault : session.faults) {
    faults.append(to_string(fault.kind)).append(": ").append(fault.detail).append("\n");
  }
  return faults;
}

class Isolating : public SandboxedScripts {};

TEST_F(Isolating, NamesTheLevel) {
  const Isolation isolation(abilities_, {.use = IsolationUse::kRequire});
  EXPECT_EQ(isolation.record().level, TrustLevel::kIsolated);
  EXPECT_THAT(isolation.record().means, HasSubstr("bubblewrap"));
  EXPECT_THAT(isolation.record().lacking, IsEmpty());
}

TEST_F(Isolating, RunsWhatWasHashed) {
  Write(0, "true");
  Write(1, "echo first");
  const std::vector<ArmPlan> arms = Arms();
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  SpawnOptions options = Isolated(isolation, arms);
  Write(1, "echo second");  // too late: the copy was made
  ChildProcess child(options);
  ASSERT_TRUE(child.wait_exit(Deadline::in(20)));
  EXPECT_EQ(child.output_tail(), "first");
}

TEST_F(Isolating, RefusesAnExecutableThatChangedSinceItWasHashed) {
  Write(0, "true");
  Write(1, "echo first");
  const std::vector<ArmPlan> arms = Arms();
  Write(1, "echo other");
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  EXPECT_EQ(ExitOf([&] { Isolated(isolation, arms); }), Exit::kInvalid);
}

TEST_F(Isolating, RefusesToReadWhatIsNotThere) {
  std::string what;
  const auto isolate = [&] {
    const Isolation isolation(abilities_, {.use = IsolationUse::kBest, .read = {"/no/such"}});
  };
  EXPECT_EQ(ExitOf(isolate, &what), Exit::kData);
  EXPECT_THAT(what, HasSubstr("/no/such"));
}

TEST_F(Isolating, AsksForLibrariesWithoutRunningTheAuthorsCode) {
  const std::string trace = folder_.file("trace");
  std::ofstream(folder_.file("audit.c"))
      << "#include <stdio.h>\nunsigned la_version(unsigned v) {\n  FILE* f = fopen(\"" << trace
      << "\", \"w\");\n  if (f) fclose(f);\n  return v;\n}\n";
  std::ofstream(folder_.file("main.c")) << "int main(void) { return 0; }\n";
  const std::string compiler = std::string(PERFGATE_COMPILER) + " -x c ";
  const std::string library = folder_.file("libaudit.so");
  const std::string program = folder_.file("program");
  const std::string build = compiler + "-shared -fPIC -o " + library + " " +
                            folder_.file("audit.c") + " && " + compiler + "-o " + program + " " +
                            folder_.file("main.c") + " -Wl,--audit=" + library;
  ASSERT_EQ(std::system(build.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  inspect_executable(program, {.loader = ReadOnlyWrapper(abilities_)});
  EXPECT_FALSE(std::filesystem::exists(trace));
  inspect_executable(program);  // the loader does run it
  EXPECT_TRUE(std::filesystem::exists(trace));
}

TEST_F(Isolating, MeasuresTheSameArms) {
  MeasurePlan plan;
  plan.isolation =
      std::make_shared<Isolation>(abilities_, IsolationRequest{.use = IsolationUse::kRequire});
  plan.policy.filter = "^[ab]/";
  const Session workers = measured_twice(LAUNCHES, plan, 2);
  plan.policy.filter.clear();
  EXPECT_EQ(FaultsOf(workers), "");
  EXPECT_EQ(workers.rounds.size(), 2U);
  EXPECT_EQ(workers.trust.level, TrustLevel::kIsolated);
  const Session processes = measured_twice(PERFGATE_FIXTURES "/stock_bench", plan, 2);
  EXPECT_EQ(processes.rounds.size(), 2U);
  const Session open = measured_twice(PERFGATE_FIXTURES "/stock_bench", {}, 2);
  EXPECT_EQ(processes.faults.size(), open.faults.size());
  EXPECT_EQ(processes.cases.size(), open.cases.size());
  EXPECT_EQ(open.trust.level, TrustLevel::kOpen);
}

TEST_F(Isolating, FindsLibrariesBesideTheExecutable) {
  Launch launch;
  launch.exec_path = "/tmp/perfgate-arms/1000/program";
  const std::vector<ArmPlan> arms = {{"baseline", inspect_executable(PERFGATE_LIBRARY_USER)}};
  ASSERT_FALSE(arms[0].executable.libraries.empty());
  const Isolation isolation(abilities_, {.use = IsolationUse::kBest});
  isolation.Isolate(arms, 0, arms[0].executable, launch);
  SpawnOptions options;
  options.path = launch.exec_path;
  launch.sandbox->Wrap({}, options);
  ChildProcess child(options);
  ASSERT_TRUE(child.wait_exit(Deadline::in(20)));
  EXPECT_TRUE(child.status().ok()) << child.output_tail();
}

// With nothing but setpriv an arm is another user, and no verdict calls that isolated.
TEST(IsolatingByUser, IsLessThanIsolation) {
  Abilities abilities = FindAbilities();
  if (::geteuid() != 0) GTEST_SKIP() << "only root can start a process as another user";
  abilities.bubblewrap.clear();
  abilities.setpriv = "/usr/bin/setpriv";
  abilities.lacking = {"namespaces: refused"};
  const Isolation isolation(abilities, {.use = IsolationUse::kBest});
  EXPECT_EQ(isolation.record().level, TrustLevel::kOpen);
  EXPECT_THAT(isolation.record().means, HasSubstr("setpriv"));
  MeasurePlan plan;
  plan.isolation = std::make_shared<Isolation>(isolation);
  plan.policy.filter = "^[ab]/";
  const Session session = measured_twice(LAUNCHES, plan, 2);
  plan.policy.filter.clear();
  EXPECT_EQ(FaultsOf(session), "");
  EXPECT_EQ(session.rounds.size(), 2U);
  const Session processes = measured_twice(PERFGATE_FIXTURES "/stock_bench", plan, 2);
  EXPECT_EQ(processes.rounds.size(), 2U);

  std::string what;
  const auto require = [&] { const Isolation refused(abilities, {.use = IsolationUse::kRequire}); };
  EXPECT_EQ(ExitOf(require, &what), Exit::kData);
  EXPECT_THAT(what, HasSubstr("namespaces: refused"));
}

TEST(Abilities, NameWhatIsLacking) {
  const Abilities none = FindAbilities({"/nowhere"});
  EXPECT_FALSE(none.full());
  EXPECT_THAT(none.lacking.front(), HasSubstr("bubblewrap is not installed"));
}

}  // namespace
}  // namespace perfgate::measure
