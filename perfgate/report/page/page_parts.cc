// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/page_parts.h"

#include <fmt/format.h>

#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

std::string PlainCell(const PlainTable& table, std::size_t column, const std::string& text) {
  const std::string of = fmt::format(" data-of=\"{}\"", MarkupText(table.header[column]));
  switch (table.kinds[column]) {
    case CellKind::kNumber:
      return "<td class=\"r\"" + of + ">" + MarkupText(text) + "</td>";
    case CellKind::kName:
      return "<td class=\"name\">" + NameHtml(text) + "</td>";
    case CellKind::kText:
      break;
  }
  return "<td" + of + ">" + MarkupText(text) + "</td>";
}

}  // namespace

std::string ElementOf(std::string_view element, std::string_view text, std::string_view of_class) {
  const std::string attribute = of_class.empty() ? "" : fmt::format(" class=\"{}\"", of_class);
  return fmt::format("<{0}{1}>{2}</{0}>\n", element, attribute, MarkupText(text));
}

std::string IsolatedText(std::string_view text) {
  if (text.find_first_not_of(' ') == std::string_view::npos) return "(no name)";
  return "<bdi>" + MarkupText(text) + "</bdi>";
}

std::string NameHtml(std::string_view name) {
  std::string text;
  for (const char c : IsolatedText(name)) {
    text += c;
    // Not the slash of the closing tag.
    if (c == '/' && !text.ends_with("</")) text += "<wbr/>";
  }
  return text;
}

std::string_view ToneOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInvalid:
    case Verdict::kFailed:
    case Verdict::kRegression:
      return "bad";
    case Verdict::kNotComparable:
    case Verdict::kMissing:
    case Verdict::kSuspected:
    case Verdict::kInconclusive:
      return "open";
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      return "good";
    case Verdict::kSkipped:
    case Verdict::kNew:
      break;
  }
  return "none";
}

std::string_view ToneOf(Exit exit) {
  switch (exit) {
    case Exit::kPass:
      return "good";
    case Exit::kSkipped:
      return "none";
    case Exit::kInconclusive:
    case Exit::kNotComparable:
    case Exit::kSuspected:
      return "open";
    default:
      return "bad";
  }
}

std::string FiguresHtml(const std::vector<Figure>& figures) {
  if (figures.empty()) return "";
  std::string text = "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    text += "<figure>" + ChartSvg(figure.chart) + ChartLegendHtml(figure.chart) +
            ElementOf("figcaption", figure.caption);
    std::string names;
    for (const std::string& name : figure.names) names += "<li>" + NameHtml(name) + "</li>";
    if (!names.empty()) text += "<ol>" + names + "</ol>";
    text += "</figure>\n";
  }
  return text + "</div>\n";
}

std::string FactsHtml(std::span<const Fact> facts) {
  std::string text = "<dl>\n";
  for (const Fact& fact : facts) {
    text += "<dt>" + MarkupText(fact.label) + "</dt><dd>" + MarkupText(fact.value) + "</dd>\n";
  }
  return text + "</dl>\n";
}

std::string PlainTableHtml(const PlainTable& table) {
  std::string text = "<table class=\"cases\"><thead><tr>";
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    text += table.kinds[i] == CellKind::kNumber ? "<th class=\"r\">" : "<th>";
    text += MarkupText(table.header[i]) + "</th>";
  }
  text += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) text += PlainCell(table, i, row[i]);
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

}  // namespace perfgate::report
