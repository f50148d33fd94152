// SPDX-License-Identifier: Apache-2.0
// Published values against answers that were worked out elsewhere, and properties of any answer.
#include "perfgate/published/published_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "perfgate/base/io/read_file.h"
#include "perfgate/base/json/strict_json.h"
#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

using nlohmann::json;
using perfgate::test_support::DataFile;
using testing::Contains;
using testing::ElementsAre;

TEST(PublishedParity, ReproducesTheAnswersByteForByte) {
  const AnswerSet answers = answer_all(read_published(DataFile("parity/commits.json")));
  EXPECT_EQ(answers_to_json(answers), read_file_text(DataFile("parity/expected.json")));
}

TEST(PublishedParity, SeesEveryTrap) {
  const json document = read_strict_json(DataFile("parity/synthetic.json"));
  const json answers =
      json::parse(answers_to_json(answer_all(read_published(DataFile("parity/synthetic.json")))));
  ASSERT_EQ(answers["commits"].size(), document["expected"].size());
  for (std::size_t i = 0; i < document["expected"].size(); ++i) {
    EXPECT_EQ(answers["commits"][i], document["expected"][i]) << document["commits"][i]["trap"];
  }
}

// An item of one throughput measured in one job.
PublishedItem item_with(std::optional<double> baseline, std::optional<double> human,
                        std::optional<double> agent, int decimals = 2) {
  PublishedItem item;
  item.id = "made";
  PublishedMeasurement& m = item.measurements.emplace_back();
  m.source = "modal";
  m.shared_run = true;
  m.metric = "throughput";
  m.unit = "tok/s";
  m.better = Direction::kHigher;
  const std::array<std::optional<double>, kArms> values = {baseline, human, agent};
  for (std::size_t i = 0; i < kArms; ++i) {
    item.status[i] = values[i] ? ArmStatus::kMeasured : ArmStatus::kNoRecord;
    if (values[i]) m.arms[i] = PublishedValue{*values[i], decimals, "m", "serving"};
  }
  return item;
}

const PairAnswer& pair_of(const ItemAnswer& answer, Pair pair) {
  return answer.pairs[static_cast<std::size_t>(pair)];
}

TEST(PublishedParity, TheThresholdItselfIsAMatchWhateverTheLastBit) {
  // For every whole human value: 105 % of it is not above 105 % of it.
  for (int human = 1; human <= 4000; ++human) {
    const double h = human / 100.0;
    const ItemAnswer at = answer_item(item_with({}, h, std::round(human * 105.0) / 1e4, 4));
    ASSERT_EQ(at.outcome, PointOutcome::kMatch) << h;
    EXPECT_EQ(at.outcome_stable, false);
    const ItemAnswer above =
        answer_item(item_with({}, h, (std::round(human * 105.0) + 1) / 1e4, 4));
    ASSERT_EQ(above.outcome, PointOutcome::kWin) << h;
    const ItemAnswer below = answer_item(item_with({}, h, (human * 95.0 - 1) / 1e4, 4));
    ASSERT_EQ(below.outcome, PointOutcome::kLoss) << h;
  }
}

TEST(PublishedParity, LowerIsBetterTurnsTheSign) {
  PublishedItem item = item_with(100, 90, 99);
  const double faster = *pair_of(answer_item(item), Pair::kHumanAgent).delta_pct;
  item.measurements[0].metric = "tpot_mean";
  item.measurements[0].better = Direction::kLower;
  const ItemAnswer answer = answer_item(item);
  EXPECT_EQ(*pair_of(answer, Pair::kHumanAgent).delta_pct, -faster);
  EXPECT_EQ(answer.outcome, PointOutcome::kLoss);
  EXPECT_EQ(answer.human_effect, HumanEffect::kGain);
}

TEST(PublishedParity, PrefersThroughputThenTokenTimesThenLatency) {
  PublishedItem item = item_with(100, 100, 100);
  const PublishedMeasurement first = item.measurements[0];
  item.measurements.clear();
  for (const char* metric : {"warmup_time", "itl_mean", "latency_avg", "ttft_p99", "ttft_mean",
                             "tpot_p99", "tpot_mean", "input_throughput", "output_throughput"}) {
    item.measurements.push_back(first);
    item.measurements.back().metric = metric;
  }
  std::vector<std::string> chosen;
  while (const auto primary = answer_item(item).primary) {
    chosen.push_back(primary->metric + " " + primary->why);
    std::erase_if(item.measurements,
                  [&](const PublishedMeasurement& m) { return m.metric == primary->metric; });
  }
  EXPECT_THAT(chosen, ElementsAre("output_throughput throughput_first",
                                  "tpot_mean tpot_no_throughput", "tpot_p99 tpot_no_throughput",
                                  "ttft_mean ttft_output_len_1", "latency_avg latency_only"));
  EXPECT_EQ(answer_item(item).item_class, ItemClass::kNoData);
}

TEST(PublishedParity, DropsWhatDoesNotCount) {
  for (const auto& spoil : std::vector<void (*)(PublishedMeasurement&)>{
           [](PublishedMeasurement& m) { m.replaced = true; },
           [](PublishedMeasurement& m) { m.metric.reset(); },
           [](PublishedMeasurement& m) { m.better.reset(); },
           [](PublishedMeasurement& m) { m.arms = {}; },
           [](PublishedMeasurement& m) {
             m.metric = "tpot_mean";
             m.output_len = 1;
           },
           [](PublishedMeasurement& m) {
             m.metric = "itl_mean";
             m.output_len = 1;
           }}) {
    PublishedItem item = item_with(1, 1, 1);
    spoil(item.measurements[0]);
    const ItemAnswer answer = answer_item(item);
    EXPECT_FALSE(answer.primary);
    EXPECT_EQ(answer.item_class, ItemClass::kNoData);
    EXPECT_THAT(pair_of(answer, Pair::kHumanAgent).reasons,
                ElementsAre("missing_human", "missing_agent"));
  }
}

TEST(PublishedParity, SeparateRunsNeedOneModelAndOneMode) {
  PublishedItem item = item_with(100, 100, 100);
  PublishedMeasurement& m = item.measurements[0];
  m.shared_run = false;
  EXPECT_EQ(answer_item(item).item_class, ItemClass::kThreeWay);
  m.arms[0]->mode.reset();
  ItemAnswer answer = answer_item(item);
  EXPECT_EQ(answer.item_class, ItemClass::kBaselineMismatch);
  EXPECT_THAT(pair_of(answer, Pair::kBaselineHuman).reasons, ElementsAre("mode_mismatch"));
  m.arms[0]->model.reset();
  EXPECT_THAT(pair_of(answer_item(item), Pair::kBaselineAgent).reasons,
              ElementsAre("model_unstated", "mode_mismatch"));
  m.arms[2]->model = "other";
  answer = answer_item(item);
  EXPECT_THAT(pair_of(answer, Pair::kHumanAgent).reasons, ElementsAre("model_mismatch"));
  EXPECT_EQ(answer.item_class, ItemClass::kTwoArmsNoVerdict);
  m.shared_run = true;
  answer = answer_item(item);
  EXPECT_EQ(answer.item_class, ItemClass::kThreeWay);
  EXPECT_THAT(pair_of(answer, Pair::kBaselineHuman).caveats, Contains("model_unstated"));
}

TEST(PublishedParity, AFailedAgentNeedsAMeasuredHuman) {
  PublishedItem item = item_with(100, 100, {});
  EXPECT_EQ(answer_item(item).outcome, PointOutcome::kNone);
  EXPECT_EQ(answer_item(item).item_class, ItemClass::kTwoArmsNoVerdict);
  item.status[2] = ArmStatus::kFailed;
  EXPECT_EQ(answer_item(item).outcome, PointOutcome::kFailed);
  EXPECT_EQ(answer_item(item).item_class, ItemClass::kAgentFailed);
  item.measurements[0].arms[1].reset();
  EXPECT_EQ(answer_item(item).outcome, PointOutcome::kNone);
  EXPECT_EQ(answer_item(item).item_class, ItemClass::kSingleArm);
}

TEST(PublishedParity, AZeroIsNotAMeasurement) {
  for (const int arm : {1, 2}) {
    PublishedItem item = item_with(1, 1, 1, 1);
    item.measurements[0].arms[static_cast<std::size_t>(arm)]->value = 0;
    const ItemAnswer answer = answer_item(item);
    EXPECT_THAT(pair_of(answer, Pair::kHumanAgent).reasons, ElementsAre("zero_value"));
    EXPECT_EQ(answer.outcome, PointOutcome::kNone);
  }
}

TEST(PublishedParity, ReportsMetricsThatDisagree) {
  PublishedItem item = item_with(100, 100, 120);
  PublishedMeasurement other = item.measurements[0];
  other.metric = "ttft_mean";
  other.better = Direction::kLower;
  item.measurements.push_back(other);
  const ItemAnswer answer = answer_item(item);
  EXPECT_EQ(answer.outcome, PointOutcome::kWin);
  ASSERT_EQ(answer.by_metric.size(), 2U);
  EXPECT_EQ(answer.by_metric[1].outcome, PointOutcome::kLoss);
  EXPECT_THAT(answer.conflict(), ElementsAre("ttft_mean"));
}

TEST(PublishedParity, ComparesListsInsideTheirRounding) {
  PublishedItem item = item_with({}, 198.3, 198.3, 1);
  item.secondary.push_back({"failures", "throughput", 0, {198.0, 198.0, 199.0}});
  const std::vector<CrossSource> findings = answer_item(item).cross_source;
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].finding, "value_in_secondary_only");
  EXPECT_EQ(findings[0].arm, Arm::kBaseline);
  EXPECT_EQ(findings[1].finding, "value_differs");
  EXPECT_EQ(findings[1].arm, Arm::kAgent);
  item.secondary[0].metric = "other";
  EXPECT_EQ(answer_item(item).cross_source.size(), 1U);
}

// Whatever the numbers: ranges hold their delta, exchanged arms turn the label, classes follow.
TEST(PublishedParity, HoldsForAnyValues) {
  std::mt19937 random(20240611);
  std::uniform_real_distribution<double> exponent(-1, 4);
  std::uniform_int_distribution<int> few(0, 3);
  std::uniform_int_distribution<int> some(0, 5);
  std::map<ItemClass, int> seen;
  for (int trial = 0; trial < 20000; ++trial) {
    const int decimals = few(random);
    const auto value = [&]() -> std::optional<double> {
      if (few(random) == 0) return std::nullopt;
      const double unit = std::pow(10.0, decimals);
      return (1 + std::floor(std::pow(10.0, exponent(random)) * unit)) / unit;
    };
    PublishedItem item = item_with(value(), value(), value(), decimals);
    PublishedMeasurement& m = item.measurements[0];
    m.shared_run = few(random) > 1;
    m.better = few(random) > 1 ? Direction::kLower : Direction::kHigher;
    item.verified = few(random) == 0;
    for (std::size_t i = 0; i < kArms; ++i) {
      if (!m.arms[i]) item.status[i] = few(random) == 0 ? ArmStatus::kFailed : ArmStatus::kNotRun;
      if (m.arms[i] && some(random) == 0) m.arms[i]->model = "other";
      if (m.arms[i] && some(random) == 0) m.arms[i]->model.reset();
      if (m.arms[i] && some(random) == 0) m.arms[i]->mode.reset();
    }
    const ItemAnswer answer = answer_item(item);
    ++seen[answer.item_class];
    for (const PairAnswer& pair : answer.pairs) {
      ASSERT_EQ(pair.comparable, pair.delta_pct.has_value());
      ASSERT_FALSE(pair.reasons.empty());
      ASSERT_TRUE(pair.comparable || pair.caveats.empty());
      if (!pair.range_pct) continue;
      ASSERT_LE((*pair.range_pct)[0], *pair.delta_pct);
      ASSERT_GE((*pair.range_pct)[1], *pair.delta_pct);
    }
    const bool compared = pair_of(answer, Pair::kHumanAgent).comparable;
    ASSERT_EQ(compared, answer.outcome_stable.has_value());
    ASSERT_EQ(answer.evaluable(), compared || answer.outcome == PointOutcome::kFailed);
    ASSERT_EQ(answer.evaluable(), answer.item_class == ItemClass::kThreeWay ||
                                      answer.item_class == ItemClass::kBaselineMismatch ||
                                      answer.item_class == ItemClass::kHumanAgentOnly ||
                                      answer.item_class == ItemClass::kAgentFailed);

    PublishedItem exchanged = item;
    std::swap(exchanged.measurements[0].arms[1], exchanged.measurements[0].arms[2]);
    std::swap(exchanged.status[1], exchanged.status[2]);
    const ItemAnswer other = answer_item(exchanged);
    const auto delta = pair_of(answer, Pair::kHumanAgent).delta_pct;
    const auto back = pair_of(other, Pair::kHumanAgent).delta_pct;
    ASSERT_EQ(delta.has_value(), back.has_value());
    ASSERT_LE(delta.value_or(0) * back.value_or(0), 0);
    ASSERT_EQ(pair_of(answer, Pair::kBaselineHuman).delta_pct,
              pair_of(other, Pair::kBaselineAgent).delta_pct);
  }
  EXPECT_EQ(seen.size(), kClassWords.size()) << "some class was never made";
}

}  // namespace
}  // namespace perfgate::published
