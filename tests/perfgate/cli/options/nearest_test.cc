// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/nearest.h"

#include <gtest/gtest.h>

namespace perfgate::cli {
namespace {

const std::vector<std::string> kWords = {"--tolerance", "--budget", "--rounds", "gate", "run"};

TEST(NearestWord, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_word("--tolerence", kWords), "--tolerance");
  EXPECT_EQ(nearest_word("--tolrance", kWords), "--tolerance");
  EXPECT_EQ(nearest_word("--buget", kWords), "--budget");
  EXPECT_EQ(nearest_word("--ruonds", kWords), "--rounds");
  EXPECT_EQ(nearest_word("gaet", kWords), "gate");
  EXPECT_EQ(nearest_word("--rounds", kWords), "--rounds");
}

TEST(NearestWord, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest_word("--frobnicate", kWords), "");
  EXPECT_EQ(nearest_word("completely-different", kWords), "");
  EXPECT_EQ(nearest_word("--tolerance", {}), "");
}

}  // namespace
}  // namespace perfgate::cli
