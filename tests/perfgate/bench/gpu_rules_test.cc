// SPDX-License-Identifier: Apache-2.0
// The rules of GPU measurement that need no GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <future>
#include <random>
#include <thread>

#include "perfgate/bench/guard_memory.h"
#include "perfgate/bench/kernel_names.h"
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/random_words.h"
#include "perfgate/bench/sample_plan.h"
#include "perfgate/bench/thread_watch.h"
#include "perfgate/bench/two_clocks.h"

namespace perfgate::bench {
namespace {

using testing::HasSubstr;

// An H100: 3.35 TB/s, 50 MiB of L2, 33 TB/s into its SMs, 2 PFLOP/s.
const Peaks kH100 = {3.35e12, 33e12, 2e15, 50.0 * 1024 * 1024};

TEST(SamplePlan, LongCallsAreTimedAlone) {
  EXPECT_EQ(CallsPerSample({.bytes = 5e8}, kH100), 1);
  EXPECT_EQ(CallsPerSample({.flops = 4e11}, kH100), 1) << "200 us of arithmetic";
  const int short_calls = CallsPerSample({.bytes = 8.4e6}, kH100);
  EXPECT_GT(short_calls, 10);
  EXPECT_LE(short_calls, 64);
  EXPECT_EQ(CallsPerSample({}, kH100), 64);
  // More work never means more calls.
  int before = 64;
  for (double bytes = 1e3; bytes < 1e9; bytes *= 1.1) {
    const int calls = CallsPerSample({.bytes = bytes}, kH100);
    EXPECT_LE(calls, before);
    before = calls;
  }
  EXPECT_EQ(before, 1);
}

TEST(SamplePlan, ColdSetsHoldFiveCaches) {
  EXPECT_EQ(RotationsFor(Cache::kHot, 1e6, kH100), 1);
  EXPECT_EQ(RotationsFor(Cache::kCold, 1e9, kH100), 2);
  for (const double bytes : {1e5, 8.4e6, 1e8}) {
    const int sets = RotationsFor(Cache::kCold, bytes, kH100);
    EXPECT_GE(sets * bytes, 5 * kH100.cache_bytes);
  }
}

TEST(SamplePlan, NoColdSetComesTwiceInASample) {
  for (double bytes = 1e3; bytes < 1e9; bytes *= 1.1) {
    const int sets = RotationsFor(Cache::kCold, bytes, kH100);
    const int calls = CallsPerSample({.bytes = bytes}, kH100);
    EXPECT_EQ(ColdnessError(Cache::kCold, sets, calls), "") << bytes;
  }
  EXPECT_THAT(ColdnessError(Cache::kCold, 63, 64), HasSubstr("64 sets of buffers"));
  EXPECT_EQ(ColdnessError(Cache::kCold, 64, 64), "");
  EXPECT_EQ(ColdnessError(Cache::kCold, 1, 1), "") << "emptied between samples";
  EXPECT_EQ(ColdnessError(Cache::kHot, 1, 64), "");
  EXPECT_THAT(ColdnessError(Cache::kHot, 2, 64), HasSubstr("one set"));
}

TEST(SamplePlan, TheNameSaysWhatTheCacheIs) {
  EXPECT_EQ(CacheNameError("rmsnorm/rows:1/cache:cold", Cache::kCold), "");
  EXPECT_EQ(CacheNameError("rmsnorm/cache:hot/rows:1", Cache::kHot), "");
  EXPECT_THAT(CacheNameError("rmsnorm/cache:hot", Cache::kCold), HasSubstr("must say cache:cold"));
  EXPECT_NE(CacheNameError("rmsnorm", Cache::kCold), "");
  EXPECT_NE(CacheNameError("rmsnorm/cache:colder", Cache::kCold), "");
  EXPECT_NE(CacheNameError("rmsnorm/cache:cold/cache:hot", Cache::kCold), "");
}

TEST(SamplePlan, PhysicsHasAFloor) {
  // 268 MB read, 268 MB written: what is written may stay in the cache, 52 MB of it.
  const CallWork rmsnorm = {.bytes = 5.36e8, .bytes_written = 2.68e8};
  const double floor = FloorSeconds(rmsnorm, Cache::kCold, kH100);
  EXPECT_NEAR(floor, (5.36e8 - kH100.cache_bytes) / 3.35e12, 1e-9);
  EXPECT_LT(floor, 5.36e8 / 3.0e12) << "what an H100 really reaches is above the floor";
  // A gemv writes next to nothing: its weights must come from memory, however few they are.
  EXPECT_NEAR(FloorSeconds({.bytes = 8.4e6, .bytes_written = 8e3}, Cache::kCold, kH100),
              8.4e6 / 3.35e12, 1e-8);
  EXPECT_LT(FloorSeconds({.bytes = 8.4e6}, Cache::kHot, kH100), 8.4e6 / 3.35e12);
  EXPECT_NEAR(FloorSeconds({.flops = 2e12}, Cache::kHot, kH100), 1e-3, 1e-12);
  EXPECT_EQ(FloorSeconds({.bytes = 1e12}, Cache::kCold, Peaks{}), 0) << "nothing known, no bound";
}

std::vector<TimedSample> Samples(int n, double device_s, double overhead_s,
                                 std::mt19937_64& random) {
  // A host that is sometimes pushed off its core for a millisecond.
  std::exponential_distribution<double> jitter(1 / 2e-6);
  std::bernoulli_distribution pushed(0.2);
  std::vector<TimedSample> samples;
  for (int i = 0; i < n; ++i) {
    const double noise = jitter(random) + (pushed(random) ? 1e-3 : 0);
    samples.push_back({device_s, device_s + overhead_s + noise});
  }
  return samples;
}

TEST(TwoClocks, NoiseOfTheHostIsNoSuspicion) {
  std::mt19937_64 random(11);
  int suspicions = 0;
  for (int i = 0; i < 200; ++i) {
    const TwoClocks clocks(Samples(48, 2e-6, 8e-6, random));
    suspicions += clocks.Unexplained(Samples(20, 170e-6, 8e-6, random)) > 0 ? 1 : 0;
  }
  EXPECT_EQ(suspicions, 0);
}

TEST(TwoClocks, HiddenWorkIs) {
  std::mt19937_64 random(12);
  const TwoClocks clocks(Samples(48, 2e-6, 8e-6, random));
  for (int i = 0; i < 100; ++i) {
    // The events see 2 us, the device works 60.
    EXPECT_GT(clocks.Unexplained(Samples(20, 2e-6, 8e-6 + 60e-6, random)), 30e-6);
  }
  // Events that claim more time than went by.
  EXPECT_GT(clocks.Unexplained({{1e-3, 0.9e-3}}), 0);
  EXPECT_LE(clocks.Unexplained({}), 0);
}

// A thread that waits to be ended.
class Waiting {
 public:
  explicit Waiting(const char* name = "waiting")
      : thread_([this, name] {
          prctl(PR_SET_NAME, name);
          named_.set_value();
          ended_.get_future().wait();
        }) {
    named_.get_future().wait();
  }
  void End() {
    ended_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> named_, ended_;
  std::thread thread_;
};

TEST(ThreadWatch, SeesThreadsThatOutliveACall) {
  const ThreadIds before = Threads();
  ASSERT_FALSE(before.empty());
  Waiting late, pool;
  const ThreadIds started = NewThreads(before);
  EXPECT_EQ(started.size(), 2U);
  EXPECT_FALSE(AnyEnded(started)) << "a pool stays";
  late.End();
  EXPECT_TRUE(AnyEnded(started));
  EXPECT_EQ(NewThreads(before).size(), 1U);
  pool.End();
  EXPECT_TRUE(NewThreads(before).empty());
  EXPECT_FALSE(AnyEnded({}));
}

TEST(ThreadWatch, AnOlderThreadThatEndsIsNoneOfTheCall) {
  Waiting older;
  const ThreadIds before = Threads();
  older.End();
  EXPECT_TRUE(NewThreads(before).empty());
}

TEST(ThreadWatch, NoNameHidesAThread) {
  for (const char* name : {"a) R 1 1 1 1 1 4", "two\nlines", "\n", ")", ""}) {
    const ThreadIds before = Threads();
    Waiting late(name);
    EXPECT_EQ(NewThreads(before).size(), 1U) << name;
    late.End();
  }
}

// A first thread that has ended stays on the system's list for as long as the others run. It is
// not alive, and in the list before a call it hides nobody.
TEST(ThreadWatch, AThreadThatHasEndedIsListedButNotAlive) {
  const auto outlive_the_first = [] {
    const ThreadIds first = Threads();
    std::thread([first] {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (!AnyEnded(first) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      const ThreadIds before = Threads();
      const bool listed = before.size() == first.size() + 1;
      Waiting late;
      const bool seen = NewThreads(before).size() == 1 && NewThreads({}).size() == first.size() + 1;
      std::_Exit(AnyEnded(first) && listed && seen ? 0 : 1);
    }).detach();
    syscall(SYS_exit, 0);  // the thread alone; pthread_exit unwinds, which gtest catches
  };
  EXPECT_EXIT(outlive_the_first(), testing::ExitedWithCode(0), "");
}

TEST(KernelNames, AreReadFromDeclarations) {
  EXPECT_EQ(KernelName("void kernels::Softmax<float, 4>(float const*, float*)"),
            "kernels::Softmax");
  EXPECT_EQ(
      KernelName("void a::(anonymous namespace)::Row<8, (a::Kind)1>(a::X<int>, void (*)(int))"),
      "a::(anonymous namespace)::Row");
  EXPECT_EQ(KernelName("void a::Tiled<b::Shape<1, 2>>::Run<int>(int)"),
            "a::Tiled<b::Shape<1, 2>>::Run");
  EXPECT_EQ(KernelName("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT"),
            "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT");
  EXPECT_EQ(KernelName("Plain()"), "Plain");
  EXPECT_EQ(KernelName(""), "");
  EXPECT_EQ(KernelName(")"), ")");
}

TEST(KernelNames, MustBeThoseDeclared) {
  const std::vector<ExpectedKernel> expected = {{"*Split", 1}, {"*Merge", 1}};
  EXPECT_EQ(KernelMismatch(expected, {{"a::Split", 1}, {"a::Merge", 1}}, 1), "");
  EXPECT_EQ(KernelMismatch(expected, {{"a::Split", 64}, {"a::Merge", 64}}, 64), "");
  EXPECT_THAT(KernelMismatch(expected, {{"a::Split", 1}}, 1),
              testing::AllOf(HasSubstr("expected per call *Split x 1, *Merge x 1"),
                             HasSubstr("observed in 1 call(s) a::Split x 1")));
  EXPECT_NE(KernelMismatch(expected, {{"a::Split", 63}, {"a::Merge", 64}}, 64), "") << "a hole";
  EXPECT_NE(KernelMismatch(expected, {{"a::Split", 1}, {"a::Merge", 1}, {"cublas", 1}}, 1), "");
  EXPECT_NE(KernelMismatch(expected, {}, 1), "");
  EXPECT_EQ(KernelMismatch({{"nvjet*", 0}}, {{"nvjet_a", 3}}, 1), "");
  EXPECT_NE(KernelMismatch({{"nvjet*", 0}}, {}, 1), "");
}

TEST(RandomWords, ContentIsWhatItSays) {
  HostMemory memory;
  constexpr std::size_t kBytes = 100001;
  std::vector<unsigned char> data(kBytes);
  memory.Randomize({{data.data(), kBytes, Content::kF32, 0}}, 1);
  double sum = 0;
  for (std::size_t i = 0; i + 4 <= kBytes; i += 4) {
    float value = 0;
    std::memcpy(&value, data.data() + i, 4);
    EXPECT_TRUE(std::abs(value) < 1 && value != 0) << value;
    sum += static_cast<double>(value);
  }
  EXPECT_LT(std::abs(sum), 5 * std::sqrt(25000.0 / 3));
  memory.Randomize({{data.data(), kBytes, Content::kBf16, 0}}, 2);
  memory.Randomize({{data.data(), kBytes, Content::kF16, 0}}, 3);
  for (std::size_t i = 0; i + 2 <= kBytes; i += 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, data.data() + i, 2);
    EXPECT_GE(bits & 0x7FFF, 0x2C00);
    EXPECT_LT(bits & 0x7FFF, 0x3C00);
  }
}

TEST(RandomWords, AFingerprintSeesEveryByteAndItsPlace) {
  HostMemory memory;
  std::vector<unsigned char> data(1003);
  const Region all = {data.data(), data.size(), Content::kBytes, 0};
  memory.Randomize({all}, 7);
  const std::uint64_t before = memory.Fingerprints({all}, 9)[0];
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] ^= 1;
    EXPECT_NE(memory.Fingerprints({all}, 9)[0], before) << i;
    data[i] ^= 1;
  }
  EXPECT_EQ(memory.Fingerprints({all}, 9)[0], before);
  for (std::size_t i = 0; i < 8; ++i) std::swap(data[i], data[i + 8]);
  EXPECT_NE(memory.Fingerprints({all}, 9)[0], before) << "two words changed places";
}

TEST(GpuMetrics, HaveOneMeaning) {
  const std::vector<Metric> own = {{"real_time", "s", Direction::kLower, Kind::kTime},
                                   {"gpu_cycles", "cycles", Direction::kLower, Kind::kTime}};
  EXPECT_EQ(MetricsError(own), "");
  std::vector<Metric> other = own;
  other[1].unit = "s";
  EXPECT_THAT(MetricsError(other), HasSubstr("reserved"));
}

}  // namespace
}  // namespace perfgate::bench
