// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/markdown_reader.h"

#include <algorithm>
#include <cctype>

#include "perfgate/audit/read/claim_text.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/error.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::audit {
namespace {

constexpr std::size_t kMaxColumns = 512;

bool is_rule_cell(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with(':')) cell.remove_prefix(1);
  if (cell.ends_with(':')) cell.remove_suffix(1);
  return !cell.empty() && cell.find_first_not_of('-') == std::string_view::npos;
}

bool is_rule(std::string_view line) {
  if (line.find('|') == std::string_view::npos) return false;
  const std::vector<std::string> cells = split_cells(line, false);
  return !cells.empty() && std::all_of(cells.begin(), cells.end(),
                                       [](const std::string& cell) { return is_rule_cell(cell); });
}

bool is_fence(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("```") || line.starts_with("~~~");
}

bool is_item(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
}

// The line starts another block, so a table above it has ended.
bool ends_table(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.starts_with('#') || is_fence(text) ||
         text.find('|') == std::string_view::npos;
}

// "date: 2026-02-22; runs: 3" into facts, or nothing where any part is no fact.
void read_facts(std::string_view line, std::map<std::string, std::string>& facts) {
  std::map<std::string, std::string> read;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(';'), line.size());
    const std::string_view part = trimmed(line.substr(0, end));
    const std::size_t colon = part.find(": ");
    if (colon == std::string_view::npos || colon == 0 || colon > 40) return;
    const std::string name = slug(part.substr(0, colon));
    if (name.empty() || words_of(part.substr(0, colon)).size() > 3) return;
    read[name] = trimmed(part.substr(colon + 1));
    line = end < line.size() ? line.substr(end + 1) : std::string_view{};
  }
  facts.insert(read.begin(), read.end());
}

// "Failed tasks (12)": the number in the last parentheses of a heading, -1 for none.
int stated_in_heading(std::string_view heading) {
  if (!heading.ends_with(')')) return -1;
  const std::size_t open = heading.rfind('(');
  if (open == std::string_view::npos) return -1;
  std::string_view inside = heading.substr(open + 1, heading.size() - open - 2);
  if (inside.starts_with("n=") || inside.starts_with("n =")) {
    inside = trimmed(inside.substr(inside.find('=') + 1));
  }
  const std::vector<std::string> words = words_of(inside);
  if (words.empty() || words.size() > 2 ||
      words.front().find_first_not_of("0123456789") != std::string::npos) {
    return -1;
  }
  return words.front().size() <= 6 ? counted(words.front()) : -1;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, std::vector<Finding>& findings)
      : file_(file), findings_(findings) {
    document_.file = file;
    split_lines(text);
  }

  MarkdownDocument take() {
    bool fenced = false;
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      if (is_fence(line)) fenced = !fenced;
      if (is_fence(line)) continue;
      if (at_ + 1 < lines_.size() && line.find('|') != std::string::npos &&
          is_rule(lines_[at_ + 1]) && !is_rule(line)) {
        read_table();
      } else if (!fenced) {
        read_prose(line);
      }
    }
    finish_list();
    if (document_.tables.empty()) {
      throw Error(Exit::kData, file_ +
                                   ":1: no table; expected a header row, a rule such as "
                                   "|---|---| below it, and rows");
    }
    return std::move(document_);
  }

 private:
  void split_lines(std::string_view text) {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string line(text.substr(begin, end - begin));
      if (!line.empty() && line.back() == '\r') line.pop_back();
      const bool control = std::any_of(line.begin(), line.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\t';
      });
      if (control || well_formed_utf8(line) != line) {
        throw Error(Exit::kData, file_ + ":" + std::to_string(lines_.size() + 1) +
                                     ": not text; expected Markdown in UTF-8");
      }
      lines_.push_back(std::move(line));
      begin = end + 1;
    }
  }

  int number(std::size_t index) const { return static_cast<int>(index) + 1; }

  void read_table() {
    Table table;
    table.file = file_;
    table.id = file_stem(file_);
    if (!document_.tables.empty()) {
      table.id += "#" + std::to_string(document_.tables.size() + 1);
    }
    table.title = title_;
    table.facts = facts_;
    table.line = number(at_);
    std::vector<std::string> header = split_cells(lines_[at_], false);
    const std::size_t rule = split_cells(lines_[at_ + 1], false).size();
    if (header.size() != rule) header = split_cells(lines_[at_], true);
    if (header.size() != rule) {
      throw Error(Exit::kData, file_ + ":" + std::to_string(number(at_ + 1)) + ": the rule has " +
                                   std::to_string(rule) + " cells and the header above it " +
                                   std::to_string(header.size()));
    }
    if (header.size() > kMaxColumns) {
      throw Error(Exit::kData, file_ + ":" + std::to_string(number(at_)) + ": more than " +
                                   std::to_string(kMaxColumns) + " columns");
    }
    for (const std::string& label : header) {
      table.columns.push_back({label, label, Better::kUnknown});
    }
    for (at_ += 2; at_ < lines_.size() && !ends_table(lines_[at_]); ++at_) read_row(table, header);
    --at_;
    if (pending_.items > 0) finish_list();
    if (pending_.line != 0) {
      pending_.items = static_cast<int>(table.rows.size());
      finish_list();
    }
    finish_table(table);
    document_.tables.push_back(std::move(table));
  }

  void read_row(Table& table, const std::vector<std::string>& header) {
    if (is_rule(lines_[at_])) return;
    std::vector<std::string> cells = split_cells(lines_[at_], false);
    if (cells.size() != header.size()) {
      std::vector<std::string> kept = split_cells(lines_[at_], true);
      if (kept.size() == header.size()) cells = std::move(kept);
    }
    if (cells == header) return;
    if (cells.size() > header.size()) {
      Finding finding = at_table(table);
      finding.line = number(at_);
      finding.row = static_cast<int>(table.rows.size()) + 1;
      finding.kind = Kind::kMetadata;
      finding.severity = Severity::kMedium;
      finding.published = std::to_string(cells.size()) + " cells";
      finding.recomputed = std::to_string(header.size()) + " columns";
      finding.explanation = "a row has more cells than the header, so some have no name";
      findings_.push_back(std::move(finding));
      cells.resize(header.size());
    }
    Row row;
    row.line = number(at_);
    for (const std::string& cell : cells) row.cells.push_back(parse_cell(cell));
    table.rows.push_back(std::move(row));
  }

  void read_prose(const std::string& line) {
    const std::string_view text = trimmed(line);
    Derived derived;
    if (!document_.tables.empty() && parse_derived(text, derived)) {
      derived.pointer = "line " + std::to_string(number(at_));
      document_.tables.back().derived.push_back(std::move(derived));
      return;
    }
    if (text.starts_with('#')) {
      finish_list();
      const std::size_t begin = std::min(text.find_first_not_of("# "), text.size());
      title_ = trimmed(text.substr(begin));
      while (title_.ends_with('#') || title_.ends_with(' ')) title_.pop_back();
      facts_.clear();
      pending_ = {};
      const int stated = stated_in_heading(title_);
      if (stated >= 0) pending_ = {number(at_), title_, stated, 0, {}};
    } else if (is_item(text)) {
      // Only items at the margin are items of the list itself.
      if (pending_.line != 0 && !line.starts_with(' ') && !line.starts_with('\t')) {
        ++pending_.items;
        const std::string_view name = text.substr(2);
        pending_.names.emplace_back(
            trimmed(name.substr(0, std::min(name.find(": "), name.find(" (")))));
      }
      Claim claim;
      if (!document_.tables.empty() && parse_claim(text.substr(2), claim)) {
        claim.line = number(at_);
        document_.tables.back().claims.push_back(std::move(claim));
      }
    } else if (!text.empty()) {
      if (pending_.items > 0 && !line.starts_with(' ')) finish_list();
      read_facts(text, facts_);
    }
    if (!text.empty()) document_.prose.push_back({number(at_), std::string(text)});
  }

  void finish_list() {
    if (pending_.line != 0 && pending_.items > 0) document_.lists.push_back(pending_);
    pending_ = {};
  }

  const std::string& file_;
  std::vector<Finding>& findings_;
  MarkdownDocument document_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  std::string title_;
  std::map<std::string, std::string> facts_;
  CountedList pending_;
};

}  // namespace

std::vector<std::string> split_cells(std::string_view line, bool keep_code) {
  line = trimmed(line);
  std::vector<std::string> cells(1);
  bool code = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cells.back() += line[++i];
    } else if (c == '|' && !(keep_code && code)) {
      cells.emplace_back();
    } else {
      if (c == '`') code = !code;
      cells.back() += c;
    }
  }
  if (line.starts_with('|')) cells.erase(cells.begin());
  if (line.ends_with('|') && !line.ends_with("\\|") && !cells.empty()) cells.pop_back();
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

MarkdownDocument read_markdown(std::string_view text, const std::string& file,
                               std::vector<Finding>& findings) {
  return Reader(text, file, findings).take();
}

}  // namespace perfgate::audit
