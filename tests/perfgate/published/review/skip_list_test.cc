// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/skip_list.h"

#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/published/parity_views.h"
#include "tests/perfgate/published/review/population.h"

namespace perfgate::published {
namespace {

Exit exit_of_list(const std::string& text) {
  try {
    skip_list_from_text(text, "skip.txt");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("skip.txt:"), std::string::npos) << error.what();
    return error.exit();
  }
  return Exit::kPass;
}

TEST(SkipList, ReadsIdsAndReasons) {
  const auto list = skip_list_from_text(
      "# heading\n\n  a  # no model: b # c\r\nb\nitem#7\t# tab\nlast one # x", "skip.txt");
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0].id, "a");
  EXPECT_EQ(list[0].reason, "no model: b # c");
  EXPECT_EQ(list[1].reason, "not stated");
  EXPECT_EQ(list[2].id, "item#7");
  EXPECT_EQ(list[2].reason, "tab");
  EXPECT_EQ(list[3].id, "last one");
}

TEST(SkipList, RefusesDoubledIdsAndBytes) {
  EXPECT_EQ(exit_of_list("a\nb\na # again\n"), Exit::kInvalid);
  EXPECT_EQ(exit_of_list("a\n\xFF\n"), Exit::kData);
  EXPECT_EQ(exit_of_list(std::string("a\0b", 3)), Exit::kData);
}

TEST(SkipList, ReadsBackWhatItWrites) {
  const std::vector<SkippedItem> list = {{"a b", "two\nlines"}, {"item#7", ""}};
  const auto back = skip_list_from_text(SkipListText(list, "f\n.json"), "skip.txt");
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].id, "a b");
  EXPECT_EQ(back[0].reason, "two lines");
  EXPECT_EQ(back[1].reason, "not stated");
  for (const char* id : {"#a", "a #b", " a", "a\nb", "a\t"}) {
    EXPECT_THROW(SkipListText({{id, ""}}, "f"), Error) << id;
  }
}

TEST(SkipList, LeavesItemsOutAndCountsThem) {
  PublishedSet set;
  set.items = {MeasuredItem("a", 100, 120, 121), FailedItem("b", "server_crash")};
  const std::vector<SkippedItem> list = {{"b", "too slow"}};
  EXPECT_THROW(LeaveOut({{"c", ""}}, "skip.txt", set), Error);
  LeaveOut(list, "skip.txt", set);
  const PopulationReview reviewed = review(set, {.skipped = list});
  EXPECT_EQ(reviewed.items.size(), 1U);
  for (const View& view : reviewed.views) {
    EXPECT_EQ(view.n + view.excluded.size(), 2U) << view.name;
    EXPECT_EQ(view.excluded.back().reason, "skipped: too slow");
  }
  EXPECT_EQ(reviewed.data_set.n, 2U);
  EXPECT_EQ(reviewed.data_set.cannot, 1U);
  ASSERT_EQ(ItemsToSkip(reviewed).size(), 1U) << "lists grow";
}

TEST(SkipList, HoldsWhatCannotBeVerified) {
  PublishedSet set;
  set.items = {MeasuredItem("a", 100, 120, 121), FailedItem("b", "server_crash"),
               FailedItem("c", "no_perf_command"), FailedItem("d", "server_crash")};
  set.items[3].model = "org/m-70B";
  const auto never = ItemsToSkip(review(set));
  ASSERT_EQ(never.size(), 1U);
  EXPECT_EQ(never[0].id, "c");
  EXPECT_EQ(never[0].reason, "bad_configuration: no_perf_command (results)");
  const auto here = ItemsToSkip(review(set, Devices{.count = 1, .vram_gib = 80}));
  ASSERT_EQ(here.size(), 2U);
  EXPECT_EQ(here[1].id, "d");
  EXPECT_EQ(here[1].reason, "too_little_memory");
}

}  // namespace
}  // namespace perfgate::published
