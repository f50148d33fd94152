// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <span>
#include <vector>

#include "tests/kernels/properties/everywhere.h"

namespace kernels::testing {
namespace {

TEST(Argmax, TiesNanAndInfinities) {
  struct Case {
    std::vector<float> x;
    std::int32_t id;
    bool ok;
  };
  std::vector<Case> cases = {
      {{5}, 0, true},
      {{1, 3, 3, 2}, 1, true},
      {{kNan, kNan}, 0, false},
      {{kNan, -kInf, kNan}, 1, true},
      {{-kInf, -kInf}, 0, true},
      {{-0.0F, 0.0F}, 0, true},
      {{kNan, 2, kInf, kInf}, 2, true},
  };
  // The winner in each place around the ends of blocks and lanes, and a later tie.
  for (const std::size_t place : {0U, 15U, 16U, 4095U, 4096U, 8191U, 8192U, 9000U}) {
    std::vector<float> x(9002, 1);
    x[place] = 2;
    x[9001] = 2;
    cases.push_back({x, static_cast<std::int32_t>(place), true});
  }
  Everywhere<ArgmaxArgs>([&](auto run) {
    for (const Case& c : cases) {
      std::int32_t id = -7;
      std::uint8_t ok = 7;
      run(ArgmaxArgs{{1, static_cast<std::int64_t>(c.x.size()), DType::kF32},
                     std::span<const float>(c.x),
                     std::span(&id, 1),
                     std::span(&ok, 1)});
      EXPECT_EQ(id, c.id);
      EXPECT_EQ(ok, c.ok);
    }
  });
}

TEST(TopK, OrderTiesAndNan) {
  Everywhere<TopKArgs>([](auto run) {
    const std::vector<float> x = {1, kNan, 3, 3, -kInf, 2, kInf};
    std::vector<std::int32_t> ids(7);
    std::vector<float> values(7);
    std::uint8_t ok = 7;
    run(TopKArgs{{1, 7, 3, DType::kF32}, std::span<const float>(x), ids, values, {&ok, 1}});
    EXPECT_EQ(std::vector<std::int32_t>(ids.begin(), ids.begin() + 3),
              (std::vector<std::int32_t>{6, 2, 3}));
    EXPECT_EQ(ok, 1);
    run(TopKArgs{{1, 7, 7, DType::kF32}, std::span<const float>(x), ids, values, {&ok, 1}});
    EXPECT_EQ(ids, (std::vector<std::int32_t>{6, 2, 3, 5, 0, 4, 1}));
    EXPECT_EQ(ok, 0);
    EXPECT_TRUE(std::isnan(values[6]));
    // A heap that starts on NaN alone still finds the numbers behind it.
    std::vector<float> late(300, kNan);
    late[200] = 1;
    late[299] = 4;
    run(TopKArgs{{1, 300, 3, DType::kF32}, std::span<const float>(late), ids, values, {&ok, 1}});
    EXPECT_EQ(ids[0], 299);
    EXPECT_EQ(ids[1], 200);
    EXPECT_EQ(ids[2], 0);
    EXPECT_EQ(ok, 0);
  });
}

}  // namespace
}  // namespace kernels::testing
