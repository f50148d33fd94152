// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/markdown_report.h"

#include <algorithm>
#include <map>
#include <utility>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markdown.h"

namespace perfgate::report {
namespace {

using Key = std::pair<std::string, std::string>;  // case, metric

Key key_of(const ColumnVerdict& column) { return {column.case_name, column.metric.name}; }

constexpr std::size_t kBlock = 7;  // cells per verdict and row

std::vector<std::string> block_of(const ColumnVerdict& column, const Policy& policy,
                                  const TableUnit& unit) {
  std::string word(to_string(column.verdict));
  std::replace(word.begin(), word.end(), '_', ' ');
  if (column.gated && column.verdict < Verdict::kNoRegression) word = "**" + word + "**";
  if (!column.gated) word += " (not gated)";
  std::string note = column.rounds == 0 ? "" : std::string(to_string(column.claim));
  std::replace(note.begin(), note.end(), '_', ' ');
  const std::string more = markdown_text(note_text(column, policy));
  if (!more.empty()) AppendItem(note, more);
  return {word,
          markdown_text(ValueInTable(column.baseline, column.metric, unit)),
          markdown_text(ValueInTable(column.candidate, column.metric, unit)),
          markdown_text(format_change(column.effect.estimate, column.metric)),
          markdown_text(interval_text(column)),
          std::to_string(column.rounds),
          note};
}

std::string verdict_title(const SuiteVerdict& verdict, const std::string& name) {
  std::string text = name.empty() ? "" : "**" + name + "**: ";
  if (!verdict.suite.empty()) text += markdown_text(verdict.suite) + ": ";
  text += markdown_text(verdict.summary);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  text += ". Exit " + std::to_string(static_cast<int>(verdict.exit)) + ", " +
          std::string(exit_meaning(verdict.exit)) + ".";
  if (verdict.identical) text += " Both arms are the same executable; nothing was measured.";
  if (verdict.columns.empty()) text += " No case was compared.";
  return text + "\n\n";
}

// The keys of all verdicts: gated ones first, each in the order of its first appearance.
std::vector<Key> row_keys(std::span<const SuiteVerdict> verdicts) {
  std::vector<Key> keys;
  for (const bool gated : {true, false}) {
    for (const SuiteVerdict& verdict : verdicts) {
      for (const ColumnVerdict& column : verdict.columns) {
        const bool known = std::find(keys.begin(), keys.end(), key_of(column)) != keys.end();
        if (column.gated == gated && !known) keys.push_back(key_of(column));
      }
    }
  }
  return keys;
}

std::string table(std::span<const SuiteVerdict> verdicts) {
  std::vector<ColumnVerdict> shown;
  for (const SuiteVerdict& verdict : verdicts) {
    shown.insert(shown.end(), verdict.columns.begin(), verdict.columns.end());
  }
  const TableUnit unit = UnitOf(shown);
  std::vector<std::string> header = {"case"};
  std::vector<Align> align = {Align::kLeft};
  std::vector<std::map<Key, const ColumnVerdict*>> columns;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const std::string prefix = verdicts.size() == 1 ? "" : block_name(i) + ": ";
    const std::string label = interval_label(verdicts[i].columns);
    for (const std::string& cell :
         {std::string("verdict"), "baseline [" + unit.name + "]", "candidate [" + unit.name + "]",
          std::string("change"), label.empty() ? "interval" : label, std::string("rounds"),
          std::string("claim")}) {
      header.push_back(prefix + cell);
    }
    align.insert(align.end(), {Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                               Align::kRight, Align::kRight, Align::kLeft});
    auto& by_key = columns.emplace_back();
    for (const ColumnVerdict& column : verdicts[i].columns) by_key[key_of(column)] = &column;
  }
  std::string text = markdown_header(header, align);
  for (const Key& key : row_keys(verdicts)) {
    std::vector<std::string> row = {markdown_code(key.first)};
    if (key.second != "real_time") row[0] += " " + markdown_text("[" + key.second + "]");
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const auto found = columns[i].find(key);
      const std::vector<std::string> block =
          found == columns[i].end() ? std::vector<std::string>(kBlock)
                                    : block_of(*found->second, verdicts[i].policy, unit);
      row.insert(row.end(), block.begin(), block.end());
    }
    text += markdown_row(row);
  }
  return text + "\n";
}

// How to read the tables of all verdicts.
std::string markdown_legend(std::span<const SuiteVerdict> verdicts) {
  std::vector<ColumnVerdict> all;
  for (const SuiteVerdict& verdict : verdicts) {
    all.insert(all.end(), verdict.columns.begin(), verdict.columns.end());
  }
  const std::string intervals = interval_legend(all);
  if (intervals.empty()) return "";
  return "Baseline and candidate: medians over rounds. Change of the candidate against the "
         "baseline, "
         "+ is worse. " +
         intervals + "\n\n";
}

}  // namespace

std::string markdown_report(std::span<const SuiteVerdict> verdicts) {
  std::string text;
  bool any_row = false;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    text += verdict_title(verdicts[i], verdicts.size() == 1 ? "" : block_name(i));
    any_row = any_row || !verdicts[i].columns.empty();
  }
  if (any_row) {
    text += table(verdicts);
    text += markdown_legend(verdicts);
  }
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const std::string name = verdicts.size() == 1 ? "" : block_name(i) + ": ";
    text += markdown_details(name + "machine, policy and warnings", verdict_facts(verdicts[i]));
  }
  return text;
}

}  // namespace perfgate::report
