// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/machine_class.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;

Machine server() {
  Machine machine;
  machine.cpu_model = "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz";
  machine.isa = "avx512";
  machine.logical_cpus = 8;
  machine.allowed_cpus = {0, 1, 2, 3};
  machine.governor = "performance";
  return machine;
}

std::string name_of(const Machine& machine) { return machine_class(class_fields(machine)); }

TEST(MachineClass, IsAReadableFolderName) {
  EXPECT_THAT(name_of(server()),
              MatchesRegex("intel-xeon-platinum-8481c-2-70ghz-4cpu-avx512-[0-9a-f]{8}"));
  EXPECT_THAT(name_of({}), MatchesRegex("unknown-0cpu-[0-9a-f]{8}"));
  Machine hostile;
  hostile.cpu_model = "../../etc/\x01 \"\xff";
  EXPECT_THAT(name_of(hostile), MatchesRegex("etc-0cpu-[0-9a-f]{8}"));
}

// Every field that moves kernels must change the class; the others must not.
TEST(MachineClass, FollowsTheFieldsThatMoveKernels) {
  const std::string name = name_of(server());
  Machine same = server();
  same.kernel = "Linux 6.1";
  same.hostname = "other";
  same.memory_gib = 3;
  EXPECT_EQ(name_of(same), name);

  std::vector<Machine> others(10, server());
  others[0].cpu_model += "x";
  others[1].isa = "avx2";
  others[2].allowed_cpus.pop_back();
  others[3].logical_cpus = 16;
  others[4].governor = "powersave";
  others[5].boost = "off";
  others[6].virtualization = "docker";
  others[7].cpu_limit = 2;
  others[8].gpus.emplace_back();
  others[9].physical_cores = 2;
  for (const Machine& other : others) {
    EXPECT_NE(name_of(other), name);
    EXPECT_EQ(class_differences(class_fields(server()), class_fields(other)).size(), 1U);
  }
}

TEST(MachineClass, GpusOfAKindAreCounted) {
  Machine machine = server();
  Gpu gpu;
  gpu.model = "NVIDIA H100 80GB HBM3";
  gpu.driver = "580.1";
  machine.gpus = {gpu, gpu};
  EXPECT_THAT(name_of(machine),
              MatchesRegex("intel.*-avx512-2-x-nvidia-h100-80gb-hbm3-[0-9a-f]{8}"));
  Machine newer = machine;
  for (Gpu& each : newer.gpus) each.driver = "590.2";
  EXPECT_THAT(class_differences(class_fields(machine), class_fields(newer)),
              ElementsAre(MatchesRegex("gpu: 2 x .*driver 580.1.* against 2 x .*driver 590.2.*")));
}

TEST(MachineClass, DifferencesNameBothValues) {
  Machine other = server();
  other.governor = "powersave";
  EXPECT_THAT(class_differences(class_fields(server()), class_fields(other)),
              ElementsAre("governor: performance against powersave"));
  EXPECT_THAT(class_differences(class_fields(server()), class_fields(server())), ElementsAre());
}

}  // namespace
}  // namespace perfgate
