// SPDX-License-Identifier: Apache-2.0
// Relations of tables that state none: found where they are, not found where they are not.
#include "perfgate/audit/infer/infer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perfgate/audit/audit.h"

namespace perfgate::audit {
namespace {

using Random = std::mt19937_64;

AuditResult audit_text(const std::string& text) {
  AuditInput input;
  read_audit_text("t.md", text, input);
  return audit(input);
}

std::string fixed(double value, int decimals) {
  return number_text(value, 0.5 * std::pow(10.0, -decimals));
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string rule(std::size_t columns) { return line(std::vector<std::string>(columns, "---")); }

// What a column is, as text of row i out of the two operands.
struct Shape {
  const char* label;
  double (*value)(double a, double b);
  const char* unit;
};

constexpr std::array kShapes = {
    Shape{"c", [](double a, double b) { return a + b; }, " ms"},
    Shape{"c", [](double a, double b) { return a - b; }, " ms"},
    Shape{"c", [](double a, double b) { return a / b; }, ""},
    Shape{"c", [](double a, double b) { return (a + b) / 2; }, " ms"},
    Shape{"change %", [](double a, double b) { return 100 * (b / a - 1); }, " %"},
    Shape{"saved", [](double a, double b) { return 100 * (1 - b / a); }, " %"},
};

std::string shaped_table(const Shape& shape, int rows, int broken, Random& random) {
  std::uniform_real_distribution<double> size(10, 900);
  std::string text = line({"case", "a", "b", shape.label}) + rule(4);
  for (int row = 0; row < rows; ++row) {
    const double a = size(random);
    const double b = size(random);
    double value = shape.value(a, b);
    if (row == broken) value = value * 1.07 + 0.9;
    text += line({"k" + std::to_string(row), fixed(a, 2) + " ms", fixed(b, 2) + " ms",
                  fixed(value, 3) + shape.unit});
  }
  return text;
}

TEST(Infer, FindsTheOneBrokenRow) {
  Random random(3);
  int found = 0;
  constexpr int kTables = 60;
  for (const Shape& shape : kShapes) {
    for (int i = 0; i < kTables; ++i) {
      const int broken = static_cast<int>(random() % 6);
      const AuditResult result = audit_text(shaped_table(shape, 6, broken, random));
      const bool exact = result.findings.size() == 1 && result.findings[0].row == broken + 1 &&
                         result.findings[0].column == shape.label;
      found += exact ? 1 : 0;
    }
  }
  EXPECT_GE(found, static_cast<int>(kShapes.size()) * kTables * 98 / 100);
}

TEST(Infer, LeavesConsistentTablesAlone) {
  Random random(5);
  for (const Shape& shape : kShapes) {
    for (int i = 0; i < 60; ++i) {
      const std::string text = shaped_table(shape, 6, -1, random);
      const AuditResult result = audit_text(text);
      EXPECT_TRUE(result.findings.empty()) << text << result.findings[0].explanation;
      EXPECT_GE(result.checked.cells_derived, 6) << text;
    }
  }
}

// Tables in which nothing follows from anything, with labels that suggest otherwise, small numbers
// of digits and values close to each other.
TEST(Infer, MakesNothingUp) {
  Random random(7);
  const std::vector<std::string> labels = {"Total", "Ratio",   "Mean",  "a",     "b",
                                           "Delta", "Speedup", "Score", "Change"};
  int with_findings = 0;
  constexpr int kTables = 1500;
  for (int i = 0; i < kTables; ++i) {
    const std::size_t columns = 3 + random() % 4;
    const int rows = static_cast<int>(2 + random() % 9);
    std::vector<std::string> header = {"case"};
    std::vector<int> decimals;
    std::vector<double> centre;
    for (std::size_t c = 0; c < columns; ++c) {
      header.push_back(labels[random() % labels.size()] + " " + std::to_string(c));
      decimals.push_back(static_cast<int>(1 + random() % 3));
      centre.push_back(std::pow(10.0, static_cast<double>(random() % 3)));
    }
    std::string text = line(header) + rule(columns + 1);
    std::uniform_real_distribution<double> spread(0.5, 1.5);
    for (int row = 0; row < rows; ++row) {
      std::vector<std::string> cells = {"k" + std::to_string(row)};
      for (std::size_t c = 0; c < columns; ++c) {
        cells.push_back(fixed(centre[c] * spread(random), decimals[c]));
      }
      text += line(cells);
    }
    with_findings += audit_text(text).findings.empty() ? 0 : 1;
  }
  EXPECT_LE(with_findings, kTables / 100);
}

// One column is enough where the row is called nothing but its operation.
TEST(Infer, PlainlyNamedSummaries) {
  const auto of = [](const std::string& name, const std::string& value,
                     const std::string& last = "d") {
    return audit_text(
        "| kernel | speedup |\n|---|---|\n| a | 1.50 |\n| b | 2.40 |\n| c | 0.90 |\n| " + last +
        " | 1.10 |\n| " + name + " | " + value + " |\n");
  };
  EXPECT_TRUE(of("Geomean", "1.37").findings.empty());
  EXPECT_EQ(of("Geomean", "1.37").checked.cells_derived, 1);
  EXPECT_EQ(of("Geomean", "1.48").findings.size(), 1U) << "that is the arithmetic mean";
  EXPECT_TRUE(of("Median", "1.30").findings.empty());
  EXPECT_EQ(of("median", "1.10").findings.size(), 1U);
  EXPECT_TRUE(of("Median", "1.10", "p99").findings.empty()) << "rows of statistics";
  EXPECT_TRUE(of("Mean", "7.10").findings.empty()) << "ratios may be averaged in other ways";
  EXPECT_TRUE(of("Geomean of all kernels", "7.10").findings.empty()) << "which are not all here";
}

TEST(Infer, ASummaryMayBeWeighted) {
  const auto of = [](const std::string& name, const std::string& questions,
                     const std::string& score) {
    return audit_text(
        "| task | questions | score |\n|---|---|---|\n| a | 100 | 0.500 |\n"
        "| b | 300 | 0.900 |\n| c | 200 | 0.400 |\n| " +
        name + " | " + questions + " | " + score + " |\n");
  };
  EXPECT_TRUE(of("Overall", "600", "0.667").findings.empty());
  EXPECT_TRUE(of("Total", "600", "0.667").findings.empty());
  EXPECT_TRUE(of("Overall", "600", "0.600").findings.empty()) << "counts summed, scores averaged";
  EXPECT_TRUE(of("Mean", "200", "0.667").findings.empty());
  EXPECT_EQ(of("Mean", "200", "0.767").findings.size(), 1U);
  EXPECT_EQ(of("Total", "650", "0.667").findings.size(), 1U);
}

TEST(Infer, AnAverageOfRatiosIsNoRatioOfAverages) {
  const std::string head =
      "| n | naive | tiled | speedup |\n|---|---|---|---|\n| 1024 | 12.4 ms | 3.10 ms | 4.00x |\n"
      "| 2048 | 99.8 ms | 20.1 ms | 4.97x |\n| 4096 | 801 ms | 150 ms | 5.34x |\n";
  EXPECT_TRUE(audit_text(head + "| Average | 304 ms | 57.7 ms | 4.77x |\n").findings.empty());
  EXPECT_TRUE(audit_text(head + "| Average | 304 ms | 57.7 ms | 5.27x |\n").findings.empty());
  EXPECT_EQ(audit_text(head + "| Average | 304 ms | 57.7 ms | 4.37x |\n").findings.size(), 1U);
}

TEST(Infer, ARateMayHaveItsUnitInWords) {
  const std::string head = "| model | requests | duration (s) | Req/s |\n|---|---|---|---|\n";
  const std::string rows =
      "| a | 500 | 37.1 | 13.48 |\n| b | 1000 | 81.9 | 12.21 |\n"
      "| c | 2000 | 120.3 | 16.63 |\n";
  EXPECT_TRUE(audit_text(head + rows + "| d | 500 | 44.0 | 11.36 |\n").findings.empty());
  EXPECT_EQ(audit_text(head + rows + "| d | 500 | 44.0 | 13.36 |\n").findings.size(), 1U);
}

TEST(Infer, TotalsMeansAndRatiosOfRows) {
  const AuditResult good = audit_text(
      "| part | a | b |\n|---|---|---|\n| x | 10 | 3.25 s |\n| y | 20 | 1.50 s |\n| z | 12 | 2.00 "
      "s |\n"
      "| **Total** | 42 | 6.75 s |\n");
  EXPECT_TRUE(good.findings.empty());
  EXPECT_EQ(good.checked.cells_derived, 2);
  const AuditResult bad = audit_text(
      "| part | a | b | c |\n|---|---|---|---|\n| x | 10 | 3.25 s | 1.5 |\n| y | 20 | 1.50 s | 2.5 "
      "|\n"
      "| z | 12 | 2.00 s | 3.0 |\n| **Total** | 42 | 6.57 s | 7.0 |\n");
  ASSERT_EQ(bad.findings.size(), 1U);
  EXPECT_EQ(bad.findings[0].kind, Kind::kTotal);
  EXPECT_EQ(bad.findings[0].row, 4);
  EXPECT_EQ(bad.findings[0].column, "b");
  const AuditResult ratio = audit_text(
      "| | mean | p99 |\n|---|---|---|\n| baseline | 240.5 ms | 301.5 ms |\n"
      "| candidate | 80.2 ms | 91.7 ms |\n| baseline/candidate | 2.999x | 3.828x |\n");
  ASSERT_EQ(ratio.findings.size(), 1U);
  EXPECT_EQ(ratio.findings[0].column, "p99");
}

TEST(Infer, CountsAddUpExactly) {
  const auto table = [](const char* last) {
    return std::string(
               "| layer | a | b | c | All |\n|---|---|---|---|---|\n| x | 6 | 1 | 1 | 8 |\n"
               "| y | 6 | 1 | 2 | 9 |\n| z | 3 | 0 | 0 | 3 |\n| w | 2 | 1 | 1 | 4 |\n"
               "| **Total** | 17 | 3 | 4 | ") +
           last + " |\n";
  };
  EXPECT_TRUE(audit_text(table("24")).findings.empty());
  EXPECT_EQ(audit_text(table("25")).findings.size(), 1U);
  EXPECT_EQ(audit_text(table("42")).findings.size(), 1U);
}

TEST(Infer, OneRowIsEnoughWhereTheLabelSaysWhatItIs) {
  const std::string head = "| Metric | Old | New | Ratio |\n|---|---|---|---|\n";
  EXPECT_TRUE(audit_text(head + "| Mean | 94.849 ms | 97.927 ms | 1.032x |\n").findings.empty());
  EXPECT_TRUE(audit_text(head + "| Mean | 94.849 ms | 97.927 ms | 0.969x |\n").findings.empty());
  EXPECT_EQ(audit_text(head + "| Mean | 94.849 ms | 97.927 ms | 1.302x |\n").findings.size(), 1U);
  // A ratio of something else: no column of the table is a latency.
  EXPECT_TRUE(audit_text("| Metric | Old | New | Latency ratio |\n|---|---|---|---|\n"
                         "| Score | 0.849 | 0.927 | 1.302x |\n")
                  .findings.empty());
}

TEST(Infer, GroupsMayHaveTheirOwnBaselines) {
  std::string text = "| model | impl | time | speedup |\n|---|---|---|---|\n";
  const std::vector<std::array<double, 3>> groups = {{90.25, 30.5, 45.75}, {412.5, 100.75, 221.25}};
  int group = 0;
  for (const auto& times : groups) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      text += line({"m" + std::to_string(group), "i" + std::to_string(i),
                    fixed(times[i], 2) + " ms", fixed(times[0] / times[i], 3) + "x"});
    }
    ++group;
  }
  EXPECT_TRUE(audit_text(text).findings.empty());
}

TEST(Infer, OtherOperationsInOneColumnAreNamed) {
  const AuditResult result = audit_text(
      "| m | a | b | a/b ratio |\n|---|---|---|---|\n| x | 10.25 | 4.10 | 2.500 |\n"
      "| y | 8.40 | 3.15 | 2.667 |\n| z | 3.11 | 9.22 | 2.965 |\n| w | 5.05 | 2.02 | 2.500 |\n");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, Kind::kDirection);
  EXPECT_EQ(result.findings[0].row, 3);
}

}  // namespace
}  // namespace perfgate::audit
