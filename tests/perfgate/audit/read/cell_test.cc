// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perfgate/audit/read/range.h"

namespace perfgate::audit {
namespace {

PrintedNumber number(const std::string& text) {
  PrintedNumber result;
  EXPECT_TRUE(parse_printed_number(text, result)) << text;
  return result;
}

TEST(PrintedNumber, KeepsPrecisionAndUnit) {
  EXPECT_EQ(number("19.324 ms").value, 19.324);
  EXPECT_EQ(number("19.324 ms").half_unit, 0.0005);
  EXPECT_EQ(number("19.324 ms").unit, "ms");
  EXPECT_EQ(number("862").half_unit, 0.5);
  EXPECT_TRUE(number("862").integer);
  EXPECT_FALSE(number("862.0").integer);
  EXPECT_EQ(number("4.677x").unit, "x");
  EXPECT_EQ(number("4.677x").dimension, "");
  EXPECT_EQ(number("12.5 %").unit, "%");
  EXPECT_TRUE(number("+2.197 ms").signed_plus);
  EXPECT_EQ(number("-1441.983 ms").value, -1441.983);
  EXPECT_EQ(number("\xE2\x88\x92"
                   "3.5")
                .value,
            -3.5);
  EXPECT_TRUE(number("~476").approximate);
  EXPECT_DOUBLE_EQ(number("1.25e-3").half_unit, 0.5e-5);
  EXPECT_DOUBLE_EQ(number("1.2E+6").half_unit, 0.5e5);
}

TEST(PrintedNumber, BringsTimesAndSizesToOneUnit) {
  EXPECT_DOUBLE_EQ(range_of(number("1.5 s")).lo, 1.45);
  EXPECT_DOUBLE_EQ(range_of(number("1500 ms")).lo, 1.4995);
  EXPECT_EQ(number("1.5 s").dimension, number("20 us").dimension);
  EXPECT_DOUBLE_EQ(exact_of(number("2 KiB")).lo, 2048);
  EXPECT_NE(number("3 tok/s").dimension, number("3 ms").dimension);
}

TEST(PrintedNumber, ReadsGroupsOfThreeOnly) {
  EXPECT_EQ(number("1,234.5").value, 1234.5);
  EXPECT_EQ(number("12,345,678").value, 12345678);
  PrintedNumber ignored;
  EXPECT_FALSE(parse_printed_number("1,2", ignored));
  EXPECT_FALSE(parse_printed_number("1234,567", ignored));
}

TEST(PrintedNumber, RefusesWhatIsNone) {
  PrintedNumber ignored;
  for (const char* text : {"", "-", "+", "ms", "1.2.3", "3/4", "2026-02-22", "19 of 20", "1e", ".",
                           "1 2", "+-5 ms", "0x10 [", "v1", "1e999"}) {
    EXPECT_FALSE(parse_printed_number(text, ignored)) << text << " as " << ignored.value;
  }
}

TEST(Cell, TellsKindsApart) {
  const auto kind = [](const char* text) { return parse_cell(text).kind; };
  EXPECT_EQ(kind("-"), CellKind::kEmpty);
  EXPECT_EQ(kind(" n/a "), CellKind::kEmpty);
  EXPECT_EQ(kind("\xE2\x80\x94"), CellKind::kEmpty);
  EXPECT_EQ(kind("inf"), CellKind::kInfinite);
  EXPECT_EQ(kind("true"), CellKind::kFlag);
  EXPECT_EQ(kind("3/0/0"), CellKind::kCounts);
  EXPECT_EQ(kind("3/4"), CellKind::kText);
  EXPECT_EQ(kind("[1.0, 2.0]"), CellKind::kInterval);
  EXPECT_EQ(kind("runtime"), CellKind::kText);
  EXPECT_EQ(kind("T4"), CellKind::kText);
  EXPECT_EQ(kind("**3.2 ms**"), CellKind::kNumber);
  EXPECT_EQ(kind("`3.2`"), CellKind::kNumber);
  EXPECT_EQ(kind("3.2*"), CellKind::kNumber);
}

TEST(Cell, ReadsDispersion) {
  const Cell spread = parse_cell("19.271 +/- 0.050 ms");
  EXPECT_EQ(spread.kind, CellKind::kNumber);
  EXPECT_TRUE(spread.has_stdev);
  EXPECT_EQ(spread.number.unit, "ms");
  EXPECT_EQ(spread.stdev.value, 0.05);
  EXPECT_EQ(parse_cell("5.0 \xC2\xB1 0.1").stdev.value, 0.1);

  const Cell interval = parse_cell("[-175.300, 175.820] ms");
  EXPECT_EQ(interval.low.value, -175.3);
  EXPECT_EQ(interval.high.value, 175.82);
  EXPECT_EQ(interval.high.unit, "ms");

  const Cell both = parse_cell("12.0 [11.2, 12.7] ms");
  EXPECT_EQ(both.kind, CellKind::kNumber);
  EXPECT_TRUE(both.has_interval);
  EXPECT_EQ(both.number.unit, "ms");
  EXPECT_EQ(both.low.value, 11.2);
  EXPECT_FALSE(parse_cell("12.0 (best)").has_interval);
  EXPECT_EQ(parse_cell("12.0 (best)").kind, CellKind::kNumber);
}

// Any bytes are some cell; printed numbers come back as they went in.
TEST(Cell, SurvivesAnything) {
  std::mt19937_64 random(7);
  const std::string alphabet = "0123456789.,+-/[]()eE~%x ms\xC2\xB1|`*";
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const Cell cell = parse_cell(text);
    if (cell.kind == CellKind::kNumber) {
      ASSERT_TRUE(std::isfinite(cell.number.value)) << text;
      ASSERT_TRUE(cell.number.half_unit > 0) << text;
    }
  }
  for (int i = 0; i < 20000; ++i) {
    const int decimals = static_cast<int>(random() % 7);
    const double value =
        static_cast<double>(static_cast<std::int64_t>(random() % 2000000000) - 1000000000) /
        std::pow(10.0, decimals);
    const std::string text = number_text(value, 0.5 * std::pow(10.0, -decimals));
    const PrintedNumber read = number(text);
    ASSERT_DOUBLE_EQ(read.value, value) << text;
    ASSERT_DOUBLE_EQ(read.half_unit, 0.5 * std::pow(10.0, -decimals)) << text;
  }
}

// Every point of the operands gives a point of the result: checked by sampling, and the ends are
// attained at corners.
TEST(Range, HoldsWhatItsOperandsGive) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> anywhere(-5, 5);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 5000; ++i) {
    const auto make = [&] {
      const double a = anywhere(random);
      const double b = anywhere(random);
      return Range{std::min(a, b), std::max(a, b)};
    };
    const Range a = make();
    const Range b = make();
    const double x = a.lo + share(random) * width(a);
    const double y = b.lo + share(random) * width(b);
    const auto holds = [](Range range, double value) { return touch(range, {value, value}); };
    ASSERT_TRUE(holds(plus(a, b), x + y));
    ASSERT_TRUE(holds(minus(a, b), x - y));
    ASSERT_TRUE(holds(times(a, b), x * y));
    const std::optional<Range> quotient = divided(a, b);
    ASSERT_EQ(quotient.has_value(), b.lo > 0 || b.hi < 0);
    if (quotient) {
      ASSERT_TRUE(holds(*quotient, x / y));
      const double beyond = quotient->hi + 1e-3 * (1 + std::abs(quotient->hi));
      ASSERT_FALSE(holds(*quotient, beyond));
    }
    const std::array<Range, 2> both = {a, b};
    ASSERT_TRUE(holds(mean_of(both), (x + y) / 2));
    ASSERT_TRUE(holds(min_of(both), std::min(x, y)));
    ASSERT_TRUE(holds(max_of(both), std::max(x, y)));
    ASSERT_TRUE(holds(median_of(both), (x + y) / 2));
  }
}

TEST(Range, TouchesAtItsEnds) {
  // 0.2917 and 0.3750 give 0.33335 +- 0.00005; 0.3333 is printed and right.
  const Range mean =
      mean_of(std::array<Range, 2>{range_of(number("0.2917")), range_of(number("0.3750"))});
  EXPECT_TRUE(touch(mean, range_of(number("0.3333"))));
  EXPECT_TRUE(touch(mean, range_of(number("0.3334"))));
  EXPECT_FALSE(touch(mean, range_of(number("0.3331"))));
  EXPECT_FALSE(touch(mean, range_of(number("0.3336"))));
}

}  // namespace
}  // namespace perfgate::audit
