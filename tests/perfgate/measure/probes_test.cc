// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/base/os/affinity.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/measure/machine/round_probe.h"

namespace perfgate::measure {
namespace {

TEST(MachineProbe, FindsThisMachine) {
  const Machine machine = probe_machine();
  EXPECT_GE(machine.logical_cpus, 1);
  EXPECT_FALSE(machine.allowed_cpus.empty());
  EXPECT_GT(machine.memory_gib, 0);
  EXPECT_EQ(machine.kernel.rfind("Linux ", 0), 0U);
  EXPECT_FALSE(machine.hostname.empty());
}

TEST(MachineProbe, WidestVectorExtension) {
  EXPECT_EQ(isa_of_flags("fpu sse2 sse4_2 avx avx2 avx512f"), "avx512");
  EXPECT_EQ(isa_of_flags("fpu sse2 sse4_2 avx avx2"), "avx2");
  EXPECT_EQ(isa_of_flags("fp asimd evtstrm"), "neon");
  EXPECT_EQ(isa_of_flags("avx512fake xavx2 sse2"), "sse2");
  EXPECT_EQ(isa_of_flags(""), "");
}

TEST(MachineProbe, FieldsOfCpuinfo) {
  const char* text = "processor\t: 0\nmodel name\t: Some CPU @ 3: fast \nflags\t\t: a b\n\n";
  EXPECT_EQ(cpuinfo_field(text, "model name"), "Some CPU @ 3: fast");
  EXPECT_EQ(cpuinfo_field(text, "flags"), "a b");
  EXPECT_EQ(cpuinfo_field(text, "model"), "");
}

TEST(RoundProbe, SharesAreShares) {
  const RoundProbe probe({});
  const auto start = Clock::now();
  while (seconds_since(start) < 0.1) {
  }
  const RoundConditions mine = probe.finish(0);
  EXPECT_GE(mine.steal_share, 0);
  EXPECT_LE(mine.steal_share, 1);
  EXPECT_GT(mine.foreign_share, 0) << "this thread's own work counts as foreign here";
  EXPECT_LE(mine.foreign_share, 1);
  EXPECT_GE(mine.load, 0);
  EXPECT_EQ(mine.voluntary_switches, -1);
  EXPECT_EQ(probe.finish(1e9).foreign_share, 0) << "own work is not foreign";
}

TEST(RoundProbe, NoSuchCore) {
  const RoundConditions none = RoundProbe({4096}).finish(0);
  EXPECT_LT(none.steal_share, 0);
  EXPECT_LT(none.mhz, 0);
  EXPECT_LT(cpu_mhz(4096), 0);
}

}  // namespace
}  // namespace perfgate::measure
