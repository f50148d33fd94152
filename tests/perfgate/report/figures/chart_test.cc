// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/figures/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/perfgate/report/xml_check.h"

namespace perfgate::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> TickTexts(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks) texts.push_back(tick.text);
  return texts;
}

TEST(Axes, HaveRoundTicksWithinTheirRange) {
  EXPECT_THAT(TickTexts(LinearAxis("", {0, 10})), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(TickTexts(LinearAxis("", {-0.02, 0.03})),
              ElementsAre("-0.02", "-0.01", "0.00", "0.01", "0.02", "0.03"));
  EXPECT_THAT(TickTexts(LogAxis("", {2e3, 3e9})), ElementsAre("1 k", "100 k", "10 M", "1 G"));
  EXPECT_THAT(TickTexts(LogAxis("", {0.02, 5})), ElementsAre("1e-2", "1e-1", "1", "10"));
  const std::vector<std::vector<double>> odd = {
      {}, {5, 5}, {NAN, INFINITY}, {0}, {1e300, -1e300}, {1e-300, 2e-300}, {100, 100.000000001}};
  for (const std::vector<double>& values : odd) {
    const Axis axis = LinearAxis("", values);
    EXPECT_LT(axis.lo, axis.hi);
    EXPECT_LE(axis.ticks.size(), 12U);
    const Axis powers = LogAxis("", values);
    EXPECT_LT(powers.lo, powers.hi);
    EXPECT_LE(powers.ticks.size(), 9U);
  }
}

TEST(Axes, PlaceValues) {
  const Axis linear{"", 0, 10, false, {}};
  EXPECT_DOUBLE_EQ(Along(linear, 5), 0.5);
  const Axis log{"", 1, 100, true, {}};
  EXPECT_DOUBLE_EQ(Along(log, 10), 0.5);
}

TEST(NumberLabels, AreSharedByPointsTooCloseToTellApart) {
  const std::vector<NumberLabel> labels =
      NumberLabels({{0, 0}, {1, 1}, {50, 0}, {NAN, 0}, {51, 40}}, 10, 10);
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].text, "1, 2");
  EXPECT_EQ(labels[1].text, "3");
  EXPECT_EQ(labels[2].text, "5");
}

TEST(Chart, HasBothForms) {
  Chart chart;
  chart.title = "a < b & c";
  chart.x = LinearAxis("round", {0, 10});
  chart.y = LinearAxis("change [%]", {-1, 1});
  chart.bands = {{Role::kNoise, "band", -5, 0.5}};  // wider than the field
  chart.rules = {{.role = Role::kTolerance, .name = "tolerance", .at = 1},
                 {.role = Role::kZero, .name = "", .at = 5, .across = Across::kVertical}};
  chart.slopes = {{Role::kCeiling, "roof", {0, -1}, {10, 1}}};
  chart.series = {{.role = Role::kCandidate,
                   .name = "50 %",
                   .points = {{1, 0}, {2, NAN}, {3, 1}},
                   .numbered = true}};
  const sample::XmlDocument svg = sample::ReadXml(ChartSvg(chart));
  ASSERT_EQ(svg.problem, "");
  EXPECT_EQ(svg.Named("title")[0].text, "a &lt; b &amp; c");
  EXPECT_EQ(svg.Named("circle").size(), 2U);
  for (const sample::XmlElement& rect : svg.Named("rect")) {
    EXPECT_GE(std::stod(rect.attributes.at("y")), 0);
    EXPECT_LE(std::stod(rect.attributes.at("height")), 210);
  }
  EXPECT_EQ(sample::ReadXml(ChartLegendHtml(chart)).Named("li").size(), 4U);
  const std::string tikz = ChartTikz(chart);
  EXPECT_THAT(tikz, HasSubstr("\\begin{tikzpicture}"));
  EXPECT_THAT(tikz, HasSubstr("50 \\%"));
  EXPECT_EQ(tikz.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace perfgate::report
