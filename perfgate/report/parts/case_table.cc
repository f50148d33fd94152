// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/case_table.h"

#include <algorithm>

#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/text/name_column.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

constexpr std::size_t kShortestName = 12;
// A name of this length can usually be told from the others.
constexpr std::size_t kGoodName = 32;

std::size_t width_beside_names(const std::vector<Row>& rows) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::size_t taken = 0;
  for (std::size_t i = 1; i < widths.size(); ++i) taken += kTableGap + widths[i];
  return taken;
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

// "[2]" for every note that is not empty; the notes themselves go to `below`.
std::vector<std::string> numbered(const std::vector<std::string>& notes,
                                  std::vector<std::string>& below) {
  std::vector<std::string> numbers;
  for (const std::string& note : notes) {
    if (note.empty()) {
      numbers.emplace_back();
      continue;
    }
    const auto known = std::find(below.begin(), below.end(), note);
    const auto number = static_cast<std::size_t>(known - below.begin()) + 1;
    if (known == below.end()) below.push_back(note);
    numbers.push_back("[" + std::to_string(number) + "]");
  }
  return numbers;
}

}  // namespace

std::string case_table(std::vector<Row> rows, const std::vector<Align>& align,
                       const std::vector<std::string>& notes, std::size_t width) {
  const std::size_t beside = width_beside_names(rows);
  const std::size_t for_names = std::min(column_widths(rows)[0], kGoodName);
  const bool inside = beside + for_names + kTableGap + longest(notes) <= width;
  std::vector<std::string> below;
  const std::vector<std::string> shown = inside ? notes : numbered(notes, below);
  const std::size_t for_notes = longest(shown) == 0 ? 0 : kTableGap + longest(shown);
  const std::size_t room = width - std::min(beside + for_notes, width - kShortestName);
  const std::string shared = ShareNameParts(rows, 0, room);

  std::vector<Align> aligned = align;
  aligned.push_back(Align::kLeft);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].resize(align.size());
    rows[i].push_back({i == 0 ? "" : shown[i - 1], ""});
  }
  std::vector<std::size_t> widths = column_widths(rows);
  widths[0] = NameColumnWidth(rows, 0, room, rows[0][0].text.size());
  std::string text = shared.empty() ? "" : paragraph(shared, width);
  for (const Row& row : rows) text += NamedLine(row, 0, widths, aligned, width);
  for (std::size_t i = 0; i < below.size(); ++i) {
    text += fact_lines("[" + std::to_string(i + 1) + "]", below[i], std::min(width, kConsoleWidth));
  }
  return text;
}

}  // namespace perfgate::report
