// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/session_facts.h"
#include "perfgate/report/session_summary.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/name_column.h"
#include "perfgate/report/text/table.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kHowToReadSession =
    "median over rounds; [lo, hi] holds it with the confidence beside it. The intervals describe "
    "each arm alone and are no test of a difference.";

std::string row_name(const CaseInfo& info, const Metric& metric) {
  return metric.name == "real_time" ? info.name : info.name + " [" + metric.name + "]";
}

std::string interval_of(const Spread& s, const Metric& metric) {
  if (s.rounds == 0) return "-";
  return "[" + format_value(s.lo, metric) + ", " + format_value(s.hi, metric) + "]";
}

// Columns of the console table.
enum : std::size_t {
  kCaseColumn,
  kArmColumn,
  kMedianColumn,
  kIntervalColumn,
  kConfidenceColumn,
  kRoundsColumn,
  kIterationsColumn,
  kSetupColumn,
  kRateColumn,
  kCeilingColumn
};

const std::vector<Align> kSessionAlign = {
    Align::kLeft,  Align::kLeft,  Align::kRight, Align::kRight, Align::kRight,
    Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight};

std::string rate_text(double bytes_per_second) {
  static const Metric kBytes = {"", "B/s", Direction::kHigher, Kind::kRate};
  return std::isfinite(bytes_per_second) ? format_value(bytes_per_second, kBytes) : "";
}

std::string ceiling_text(double share) { return std::isfinite(share) ? format_share(share) : ""; }

// Too few rounds for the confidence that is wanted weaken what the line says.
std::string_view confidence_color(const Spread& spread, const ConsoleOptions& options) {
  return options.color && spread.confidence < kWantedConfidence ? kYellow : "";
}

Row session_row(const Session& session, std::size_t c, std::size_t m, std::size_t a,
                const ConsoleOptions& options) {
  constexpr std::size_t kLongestLabel = 14;
  const CaseInfo& info = session.cases[c];
  const Metric& metric = session.metrics[m];
  const Spread s = spread(round_medians(session, c, m, a));
  const bool one_arm = session.arms.size() == 1;
  // The arms of a case stand below each other; the first one bears the name.
  return {{a == 0 ? escaped_ascii(row_name(info, metric)) : "", ""},
          {one_arm ? "" : shortened(escaped_ascii(session.arms[a].label), kLongestLabel), ""},
          {format_value(s.median, metric), ""},
          {interval_of(s, metric), ""},
          {s.confidence > 0 ? format_share(s.confidence) : "-", confidence_color(s, options)},
          {std::to_string(s.rounds), ""},
          {m == 0 && info.iterations > 0 ? std::to_string(info.iterations) : "", ""},
          {m == 0 && session.origins.empty() ? format_share(info.setup_share) : "", ""},
          {m == 0 ? rate_text(bytes_per_second(session, c, a)) : "", ""},
          {m == 0 ? ceiling_text(share_of_ceiling(session, c, a)) : "", ""}};
}

// Metrics that the case has in no arm are no rows; the time is always one.
std::vector<Row> session_rows(const Session& session, const ConsoleOptions& options) {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (is_informational(session.metrics[m].name)) continue;
      std::vector<Row> arms;
      bool any = m == 0;
      for (std::size_t a = 0; a < session.arms.size(); ++a) {
        arms.push_back(session_row(session, c, m, a, options));
        any = any || arms.back()[kRoundsColumn].text != "0";
      }
      if (any) rows.insert(rows.end(), arms.begin(), arms.end());
    }
  }
  return rows;
}

std::string session_table(const Session& session, const ConsoleOptions& options) {
  std::vector<Row> rows = session_rows(session, options);
  const Row header = {{"case", ""},    {session.arms.size() == 1 ? "" : "arm", ""},
                      {"median", ""},  {"[lo, hi]", ""},
                      {"conf.", ""},   {"n", ""},
                      {"iters", ""},   {"set-up", ""},
                      {"bytes/s", ""}, {"ceiling", ""}};
  rows.insert(rows.begin(), header);
  // A line has room for one of the two kinds of detail; the Markdown report has both.
  const std::size_t unused = declares_bytes(session) ? kIterationsColumn : kRateColumn;
  for (Row& row : rows) {
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(unused),
              row.begin() + static_cast<std::ptrdiff_t>(unused) + 2);
  }
  std::vector<std::size_t> widths = column_widths(rows);
  std::size_t taken = kTableGap * (rows[0].size() - 1);
  for (std::size_t i = kArmColumn; i < widths.size(); ++i) taken += widths[i];
  constexpr std::size_t kShortestCase = 8;
  const std::size_t width = options.TableWidth();
  const std::size_t room = width - std::min(width - kShortestCase, taken);
  const std::string shared = ShareNameParts(rows, kCaseColumn, room);
  std::string text = shared.empty() ? "" : paragraph(shared, options.ProseWidth());
  widths[kCaseColumn] = NameColumnWidth(rows, kCaseColumn, room, rows[0][kCaseColumn].text.size());
  for (const Row& row : rows) text += NamedLine(row, kCaseColumn, widths, kSessionAlign, width);
  return text;
}

std::string session_title(const Session& session) {
  std::string title = session.suite.empty() ? "session" : session.suite;
  if (!session.started.empty()) title += ", " + session.started;
  if (!session.tool.empty()) title += ", " + session.tool;
  return title;
}

// Rows of the Markdown table by case and metric, filled column by column.
struct MarkdownTable {
  using Key = std::pair<std::string, std::string>;
  std::vector<std::string> header = {"case"};
  std::vector<Key> keys;  // in order of appearance
  std::map<Key, std::vector<std::string>> cells;

  void set(const Key& key, const std::string& cell) {
    std::vector<std::string>& row = cells[key];
    if (row.empty()) keys.push_back(key);
    row.resize(header.size() - 1);
    row.back() = cell;
  }
};

std::string spread_markdown(const Spread& s, const Metric& metric) {
  std::string cell = format_value(s.median, metric);
  if (s.rounds > 0) cell += " " + interval_of(s, metric);
  if (s.confidence > 0) cell += ", " + format_share(s.confidence);
  return markdown_text(cell + ", n = " + std::to_string(s.rounds));
}

void add_session(MarkdownTable& table, const Session& session, const std::string& name) {
  for (std::size_t a = 0; a < session.arms.size(); ++a) {
    table.header.push_back(name + markdown_text(session.arms[a].label));
    for (std::size_t c = 0; c < session.cases.size(); ++c) {
      for (std::size_t m = 0; m < session.metrics.size(); ++m) {
        if (is_informational(session.metrics[m].name)) continue;
        const Spread s = spread(round_medians(session, c, m, a));
        if (s.rounds == 0 && m > 0) continue;
        table.set({session.cases[c].name, session.metrics[m].name},
                  spread_markdown(s, session.metrics[m]));
      }
    }
  }
  if (session.metrics.empty()) return;
  const std::string& time = session.metrics[0].name;
  table.header.push_back(name + "iterations");
  for (const CaseInfo& info : session.cases) {
    table.set({info.name, time}, info.iterations > 0 ? std::to_string(info.iterations) : "by time");
  }
  for (std::size_t a = 0; declares_bytes(session) && a < session.arms.size(); ++a) {
    const std::string arm = name + markdown_text(session.arms[a].label);
    table.header.push_back(arm + " declared bytes per second (share of the ceiling)");
    for (std::size_t c = 0; c < session.cases.size(); ++c) {
      const std::string share = ceiling_text(share_of_ceiling(session, c, a));
      table.set({session.cases[c].name, time},
                markdown_text(rate_text(bytes_per_second(session, c, a)) +
                              (share.empty() ? "" : " (" + share + ")")));
    }
  }
  table.header.push_back(name + "set-up");
  for (const CaseInfo& info : session.cases) {
    table.set({info.name, time},
              session.origins.empty() ? format_share(info.setup_share) : std::string());
  }
}

std::string table_markdown(MarkdownTable& table) {
  std::string text = markdown_header(table.header, {});
  for (const MarkdownTable::Key& key : table.keys) {
    std::vector<std::string> row = {markdown_code(key.first)};
    if (key.second != "real_time") row[0] += " " + markdown_text("[" + key.second + "]");
    std::vector<std::string>& cells = table.cells[key];
    cells.resize(table.header.size() - 1);
    row.insert(row.end(), cells.begin(), cells.end());
    text += markdown_row(row);
  }
  return text;
}

std::string session_fact_lines(const std::vector<Fact>& facts, const ConsoleOptions& options) {
  std::string text;
  for (const Fact& fact : facts) {
    std::string lines = fact_list({&fact, 1}, options.ProseWidth());
    std::string_view color;
    if (fact.label == "Fault") color = kRed;
    if (fact.label == "Warning" || fact.label == "Unstated") color = kYellow;
    if (options.color) lines.replace(0, fact.label.size(), colored(fact.label, color));
    text += lines;
  }
  return text;
}

}  // namespace

std::string session_console_report(const Session& session, const ConsoleOptions& options) {
  std::string text;
  for (const std::string& line :
       wrapped(escaped_ascii(session_title(session)), options.ProseWidth())) {
    text += colored(line, options.color ? kBold : "") + "\n";
  }
  if (session.cases.empty()) {
    text += paragraph("No case was measured: there is none, or the filter leaves none.",
                      options.ProseWidth());
  } else {
    text += session_table(session, options);
    text += "\n" + fact_lines("Read", kHowToReadSession, options.ProseWidth());
  }
  return text + session_fact_lines(session_facts(session), options);
}

std::string session_markdown_report(std::span<const Session> sessions) {
  if (sessions.empty()) return "";
  MarkdownTable table;
  std::string titles;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const std::string name = sessions.size() == 1 ? "" : block_name(i) + ": ";
    titles += (name.empty() ? "" : "**" + block_name(i) + "**: ") +
              markdown_text(session_title(sessions[i])) + "\n\n";
    add_session(table, sessions[i], name);
  }
  std::string text = titles;
  if (table.keys.empty()) {
    text += "No case was measured.\n\n";
  } else {
    text += table_markdown(table) + "\n" + markdown_text(kHowToReadSession) + "\n\n";
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const std::string name = sessions.size() == 1 ? "" : block_name(i) + ": ";
    text += markdown_details(name + "machine, faults and warnings", session_facts(sessions[i]));
  }
  return text;
}

}  // namespace perfgate::report
