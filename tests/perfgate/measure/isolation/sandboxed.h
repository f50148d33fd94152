// SPDX-License-Identifier: Apache-2.0
// sandboxed.h: shell scripts as isolated arms.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/os/process.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/isolation/find_abilities.h"
#include "perfgate/measure/isolation/isolation.h"
#include "perfgate/measure/isolation/sandbox.h"

namespace perfgate::measure {

// Two arms that are scripts, in folders of their own.
class SandboxedScripts : public testing::Test {
 protected:
  std::string ScriptOf(std::size_t arm) const {
    return folder_.file("arm" + std::to_string(arm)) + "/run.sh";
  }

  void Write(std::size_t arm, const std::string& body) {
    ::mkdir(folder_.file("arm" + std::to_string(arm)).c_str(), 0755);
    std::ofstream(ScriptOf(arm)) << "#!/bin/sh\n" << body << "\n";
    ::chmod(ScriptOf(arm).c_str(), 0755);
  }

  std::vector<ArmPlan> Arms() const {
    return {{"baseline", inspect_executable(ScriptOf(0))},
            {"candidate", inspect_executable(ScriptOf(1))}};
  }

  // How the candidate is started.
  static SpawnOptions Isolated(const Isolation& isolation, const std::vector<ArmPlan>& arms,
                               const std::vector<std::string>& writable = {}) {
    Launch launch;
    launch.exec_path = "/tmp/perfgate-arms/1001/run.sh";
    isolation.Isolate(arms, 1, arms[1].executable, launch);
    SpawnOptions options;
    options.path = launch.exec_path;
    if (launch.sandbox) launch.sandbox->Wrap(writable, options);
    return options;
  }

  // What the candidate prints when it runs `body` beside a baseline that does nothing.
  std::string Says(const std::string& body, const IsolationRequest& request = {}) {
    if (!exists_) Write(0, "true");
    Write(1, body);
    const Isolation isolation(abilities_, request);
    ChildProcess child(Isolated(isolation, Arms()));
    EXPECT_TRUE(child.wait_exit(Deadline::in(20)));
    status_ = child.status();
    return child.output_tail(4000);
  }

  void SetUp() override {
    if (!abilities_.full()) GTEST_SKIP() << "lacking " << abilities_.lacking.front();
  }

  Abilities abilities_ = FindAbilities();
  PrivateFolder folder_{"perfgate-isolation-test-"};
  ExitStatus status_;
  bool exists_ = false;  // the baseline has been written by the test
};

}  // namespace perfgate::measure
