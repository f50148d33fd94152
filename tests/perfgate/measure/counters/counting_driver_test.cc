// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/counters/counting_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

namespace perfgate::measure {
namespace {

using testing::ElementsAre;
using testing::Pair;

// An arm that is this process: a slice touches as many bytes as its case id says MiB.
class InThisProcess final : public Driver {
 public:
  explicit InThisProcess(int pid) : pid_(pid) {}
  SliceResult slice(const SliceRequest& request) override {
    std::vector<char> memory(request.case_id << 20U);
    std::memset(memory.data(), 1, memory.size());
    SliceResult result;
    if (memory.size() > 0 && memory.back() != 1) result.fault = FaultKind::kError;
    result.iterations = 10;
    result.real_s = 1e-3;
    return result;
  }
  std::vector<SliceResult> suite_slice(std::span<const SliceRequest>) override { return {}; }
  bool alive() const override { return true; }
  void pin(std::span<const int>) override {}
  double cpu_seconds() const override { return 0; }
  void pause() override {}
  void resume() override {}
  int pid() const override { return pid_; }
  int leftover_processes() const override { return 0; }
  Departure quit() override { return {}; }

 private:
  int pid_;
};

double PeakOf(Driver& driver, std::size_t mib) {
  const SliceResult result = driver.slice({.case_id = mib, .iterations = 0});
  EXPECT_EQ(result.counters.size(), 1U);
  return result.counters.empty() ? 0 : result.counters.front().second;
}

TEST(CountingDriver, ThePeakIsThatOfTheSlice) {
  constexpr double kMib = 1 << 20;
  const auto driver = WithCounts(std::make_unique<InThisProcess>(::getpid()), {"peak_rss"});
  const double small = PeakOf(*driver, 1);
  const double large = PeakOf(*driver, 65);
  // Counters of resident memory are of batches of pages for each thread.
  EXPECT_NEAR(large - small, 64 * kMib, 4 * kMib);
  EXPECT_NEAR(PeakOf(*driver, 1), small, 4 * kMib) << "an earlier slice is not in it";
}

TEST(CountingDriver, WithoutAProcessOrNamesTheDriverIsLeftAsItIs) {
  auto inner = std::make_unique<InThisProcess>(-1);
  const Driver* before = inner.get();
  EXPECT_EQ(WithCounts(std::move(inner), {"peak_rss"}).get(), before);
  inner = std::make_unique<InThisProcess>(::getpid());
  before = inner.get();
  EXPECT_EQ(WithCounts(std::move(inner), {}).get(), before);
}

TEST(AddPerIteration, LeavesOutWhatDidNotHappen) {
  SliceResult result;
  result.iterations = 4;
  AddPerIteration({{"cycles", 8}, {"cache_misses", 0}}, result);
  EXPECT_THAT(result.counters, ElementsAre(Pair("cycles", 2)));
}

}  // namespace
}  // namespace perfgate::measure
