// SPDX-License-Identifier: Apache-2.0
// Every way to look fast by not doing the work, on the host: caught by its defence, and gaining a
// false win with that defence off. The same Guard serves a GPU (cuda/fixtures_test.cc).
#include "perfgate/bench/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace perfgate::bench {
namespace {

using testing::HasSubstr;

constexpr std::size_t kCount = 1000;  // not a multiple of 8 bytes times anything

// y = 2 x + 1 in two rotations, with margins around every buffer.
struct Problem {
  static constexpr int kRotations = 2;
  static constexpr std::size_t kMargin = 64;
  std::vector<std::vector<unsigned char>> memory;
  Buffers buffers;

  Problem() {
    for (int r = 0; r < kRotations; ++r) {
      Rotation rotation;
      rotation.inputs = {Make(Content::kF32)};
      rotation.outputs = {Make(Content::kKeep)};
      buffers.rotations.push_back(rotation);
    }
    buffers.check = [this](int r) { return Check(r); };
  }

  Region Make(Content content) {
    memory.emplace_back(kCount * sizeof(float) + 2 * kMargin);
    return {memory.back().data() + kMargin, kCount * sizeof(float), content, kMargin};
  }
  float* x(int r) { return static_cast<float*>(buffers.rotations[Index(r)].inputs[0].data); }
  float* y(int r) { return static_cast<float*>(buffers.rotations[Index(r)].outputs[0].data); }
  static std::size_t Index(int r) { return static_cast<std::size_t>(r); }

  std::string Check(int r) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const double expected = 2.0 * static_cast<double>(x(r)[i]) + 1.0;
      // f32 rounds twice: 2 ulp of a value below 4.
      if (!(std::abs(static_cast<double>(y(r)[i]) - expected) <= 5e-7)) {
        return "element " + std::to_string(i);
      }
    }
    return "";
  }
  void Honest(int r) {
    for (std::size_t i = 0; i < kCount; ++i) y(r)[i] = 2 * x(r)[i] + 1;
  }
};

constexpr std::int64_t kSamples = 12;
constexpr int kSlices = 5;  // of one process, as in a round of the gate

// Runs a process's worth of slices; the first finding ends it. `settle` stands for what a late
// thread does after the return.
Finding Measure(
    Problem& problem, const std::function<void(int)>& call, const Defences& defences,
    const std::function<void()>& settle = [] {}, std::uint64_t seed = 1) {
  HostMemory memory;
  Guard guard(memory, seed, defences);
  for (int slice = 0; slice < kSlices; ++slice) {
    if (Finding finding = guard.BeginSlice(problem.buffers, kSamples)) return finding;
    for (std::int64_t sample = 0; sample < kSamples; ++sample) {
      const int rotation = static_cast<int>(sample % Problem::kRotations);
      guard.BeforeSample(rotation, 1);
      call(rotation);
      if (Finding finding = guard.AfterSample(settle)) return finding;
    }
    if (Finding finding = guard.EndSlice()) return finding;
  }
  return {};
}

struct Fixture {
  std::function<void(int)> call;
  std::function<void()> late = [] {};
};

// Caught whatever the secret seed is, by this defence alone.
void ExpectCaught(const std::function<Fixture(Problem&)>& make, Finding::Kind kind,
                  const std::string& text, const Defences& off) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem problem;
    const Fixture fixture = make(problem);
    const Finding finding = Measure(problem, fixture.call, {}, fixture.late, seed);
    EXPECT_EQ(static_cast<int>(finding.kind), static_cast<int>(kind)) << finding.text;
    EXPECT_THAT(finding.text, HasSubstr(text));
  }
  Problem problem;
  const Fixture fixture = make(problem);
  const Finding finding = Measure(problem, fixture.call, off, fixture.late);
  EXPECT_FALSE(finding) << "without the defence it must pass: " << finding.text;
}

Defences Without(bool Defences::*defence) {
  Defences defences;
  defences.*defence = false;
  return defences;
}

TEST(Guard, HonestWorkPasses) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Problem problem;
    const Finding finding = Measure(
        problem, [&](int r) { problem.Honest(r); }, {}, [] {}, seed);
    EXPECT_FALSE(finding) << finding.text;
  }
}

TEST(Guard, HonestWorkPassesWithoutAnOracle) {
  Problem problem;
  problem.buffers.check = nullptr;
  const Finding finding = Measure(problem, [&](int r) { problem.Honest(r); }, {});
  EXPECT_FALSE(finding) << finding.text;
}

TEST(Guard, HonestWorkWithOtherBitsEachTimePasses) {
  Problem problem;
  problem.buffers.deterministic = false;
  int calls = 0;
  const Finding finding =
      Measure(problem,
              [&](int r) {
                problem.Honest(r);
                problem.y(r)[3] = std::nextafter(problem.y(r)[3], ++calls % 2 == 0 ? 9.0F : -9.0F);
              },
              {});
  EXPECT_FALSE(finding) << finding.text;
}

// Bits of the last result that lie in a workspace are nobody's business.
TEST(Guard, AReusedWorkspacePasses) {
  Problem problem;
  std::vector<float> workspace(kCount);
  const Finding finding = Measure(problem,
                                  [&](int r) {
                                    for (std::size_t i = 0; i < kCount; ++i)
                                      workspace[i] = 2 * problem.x(r)[i];
                                    for (std::size_t i = 0; i < kCount; ++i)
                                      problem.y(r)[i] = workspace[i] + 1;
                                  },
                                  {});
  EXPECT_FALSE(finding) << finding.text;
}

TEST(Guard, OutputSkippedAfterTheFirstCall) {
  ExpectCaught(
      [](Problem& p) {
        auto done = std::make_shared<std::set<int>>();
        return Fixture{[&p, done](int r) {
          if (done->insert(r).second) p.Honest(r);
        }};
      },
      // The last answer lies in place where nobody poisons it, and refilled inputs show it.
      Finding::Kind::kInvalid,
      "a timed call gave a wrong result although an earlier call was right",
      [] {
        Defences off = Without(&Defences::poison);
        off.refill = false;
        return off;
      }());
}

TEST(Guard, OutputSkippedWithoutAnOracle) {
  ExpectCaught(
      [](Problem& p) {
        p.buffers.check = nullptr;
        auto done = std::make_shared<std::set<int>>();
        return Fixture{[&p, done](int r) {
          if (done->insert(r).second) p.Honest(r);
        }};
      },
      Finding::Kind::kInvalid, "differs from that of an earlier call", Without(&Defences::poison));
}

TEST(Guard, CachingByPointer) {
  ExpectCaught(
      [](Problem& p) {
        auto cache = std::make_shared<std::map<const float*, std::vector<float>>>();
        return Fixture{[&p, cache](int r) {
          std::vector<float>& known = (*cache)[p.x(r)];
          if (known.empty()) {
            p.Honest(r);
            known.assign(p.y(r), p.y(r) + kCount);
          }
          std::memcpy(p.y(r), known.data(), kCount * sizeof(float));
        }};
      },
      Finding::Kind::kInvalid, "although an earlier call was right", Without(&Defences::refill));
}

// Caching by content cannot be seen, only made useless: nothing comes twice.
TEST(Guard, CachingByContentNeverHitsWhereEverySampleIsFresh) {
  for (const bool fresh : {true, false}) {
    Problem problem;
    problem.buffers.fresh_every_sample = fresh;
    std::map<std::vector<float>, std::vector<float>> cache;
    int hits = 0;
    const Finding finding =
        Measure(problem,
                [&](int r) {
                  const std::vector<float> key(problem.x(r), problem.x(r) + kCount);
                  const auto [found, added] = cache.try_emplace(key);
                  if (added) {
                    problem.Honest(r);
                    found->second.assign(problem.y(r), problem.y(r) + kCount);
                  }
                  hits += added ? 0 : 1;
                  std::memcpy(problem.y(r), found->second.data(), kCount * sizeof(float));
                },
                {});
    EXPECT_FALSE(finding) << finding.text;
    if (fresh) {
      EXPECT_EQ(hits, 0);
    } else {
      EXPECT_GT(hits, kSlices * kSamples / 2) << "the false win that fresh content takes away";
    }
  }
}

TEST(Guard, ConstantOutput) {
  const auto make = [](Problem& p) {
    return Fixture{[&p](int r) { std::memset(p.y(r), 0, kCount * sizeof(float)); }};
  };
  ExpectCaught(make, Finding::Kind::kWrong, "wrong result", Without(&Defences::checks));
  // Without an oracle: two inputs, one output.
  ExpectCaught(
      [&](Problem& p) {
        p.buffers.check = nullptr;
        return make(p);
      },
      Finding::Kind::kInvalid, "have the same output", Without(&Defences::checks));
}

TEST(Guard, ReducedPrecision) {
  ExpectCaught(
      [](Problem& p) {
        return Fixture{[&p](int r) {
          for (std::size_t i = 0; i < kCount; ++i) {
            const float value = 2 * p.x(r)[i] + 1;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            bits &= 0xFFFFE000U;  // the ten mantissa bits of TF32
            std::memcpy(p.y(r) + i, &bits, sizeof bits);
          }
        }};
      },
      Finding::Kind::kWrong, "wrong result: element", Without(&Defences::checks));
}

TEST(Guard, TheTailLeftOut) {
  ExpectCaught(
      [](Problem& p) {
        return Fixture{[&p](int r) {
          for (std::size_t i = 0; i + 1 < kCount; ++i) p.y(r)[i] = 2 * p.x(r)[i] + 1;
        }};
      },
      Finding::Kind::kWrong, "element 999", Without(&Defences::checks));
}

TEST(Guard, ResultWrittenAfterReturn) {
  ExpectCaught(
      [](Problem& p) {
        auto last = std::make_shared<int>(0);
        auto first = std::make_shared<bool>(true);
        return Fixture{[&p, last](int r) {
                         p.Honest(r);  // right when it returns ...
                         *last = r;
                       },
                       [&p, last, first] { p.y(*last)[17] = 0; }};  // ... and changed later
      },
      Finding::Kind::kInvalid, "changed after the call had returned", Without(&Defences::settled));
}

TEST(Guard, OneElementOutOfBounds) {
  for (const std::ptrdiff_t at : {std::ptrdiff_t{-1}, static_cast<std::ptrdiff_t>(kCount)}) {
    ExpectCaught(
        [at](Problem& p) {
          return Fixture{[&p, at](int r) {
            p.Honest(r);
            p.y(r)[at] = 0;
          }};
        },
        Finding::Kind::kInvalid, "out of bounds", Without(&Defences::canaries));
  }
}

TEST(Guard, InputsChanged) {
  // The result is right for the inputs as they then are, and all zeros are quick to multiply.
  ExpectCaught(
      [](Problem& p) {
        return Fixture{[&p](int r) {
          std::memset(p.x(r), 0, kCount * sizeof(float));
          p.Honest(r);
        }};
      },
      Finding::Kind::kInvalid, "was changed by the timed calls", Without(&Defences::inputs));
}

TEST(Guard, WrongFromTheFirstCallIsTheCasesFailure) {
  Problem problem;
  const Finding finding = Measure(problem, [&](int r) { problem.y(r)[0] = 0; }, {});
  EXPECT_EQ(finding.kind, Finding::Kind::kWrong);
}

TEST(Guard, SharedOutputsAreRefused) {
  for (const bool with_input : {true, false}) {
    Problem problem;
    auto& rotations = problem.buffers.rotations;
    rotations[1].outputs = with_input ? rotations[0].inputs : rotations[0].outputs;
    const Finding finding = Measure(problem, [&](int r) { problem.Honest(r); }, {});
    EXPECT_EQ(finding.kind, Finding::Kind::kWrong);
    EXPECT_THAT(finding.text, HasSubstr("same memory"));
  }
  Problem problem;  // inputs may be shared
  problem.buffers.rotations[1].inputs = problem.buffers.rotations[0].inputs;
  const Finding finding = Measure(problem, [&](int r) { problem.Honest(r); }, {});
  EXPECT_FALSE(finding) << finding.text;
}

TEST(Guard, TheOracleRunsFewTimes) {
  Problem problem;
  HostMemory memory;
  Guard guard(memory, 3);
  for (int slice = 0; slice < 20; ++slice) {
    ASSERT_FALSE(guard.BeginSlice(problem.buffers, 100));
    for (int sample = 0; sample < 100; ++sample) {
      guard.BeforeSample(sample % 2, 1);
      problem.Honest(sample % 2);
      ASSERT_FALSE(guard.AfterSample([] {}));
    }
    ASSERT_FALSE(guard.EndSlice());
  }
  EXPECT_GE(guard.oracle_runs(), 2);
  EXPECT_LE(guard.oracle_runs(), 4) << "twice per content, and contents change once";
}

TEST(Guard, WorkWhileTheStreamIsHeldIsSeen) {
  Problem problem;
  HostMemory memory;
  Guard guard(memory, 3);
  ASSERT_FALSE(guard.BeginSlice(problem.buffers, 1));
  guard.BeforeSample(0, 1);
  ASSERT_TRUE(guard.WantsHeldCheck()) << "the first sample of a process is always checked";
  guard.RememberHeld();
  EXPECT_FALSE(guard.CheckHeld());
  problem.Honest(0);
  EXPECT_THAT(guard.CheckHeld().text, HasSubstr("while the timed stream was held"));
}

TEST(Guard, PoisonAndInputsAreNewEachTime) {
  Problem problem;
  HostMemory memory;
  Guard guard(memory, 5);
  std::set<std::uint64_t> outputs;
  std::set<std::uint64_t> inputs;
  for (int slice = 0; slice < kSlices; ++slice) {
    ASSERT_FALSE(guard.BeginSlice(problem.buffers, 3));
    inputs.insert(memory.Fingerprints(problem.buffers.rotations[0].inputs, 1)[0]);
    for (int sample = 0; sample < 3; ++sample) {
      guard.BeforeSample(0, 1);
      outputs.insert(memory.Fingerprints(problem.buffers.rotations[0].outputs, 1)[0]);
    }
  }
  EXPECT_EQ(outputs.size(), 3U * kSlices);
  EXPECT_EQ(inputs.size(), 2U) << "when the process starts, and once later";
}

}  // namespace
}  // namespace perfgate::bench
