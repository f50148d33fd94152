// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/conditions.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/format.h"
#include "perfgate/report/parts/markdown.h"
#include "perfgate/report/parts/table.h"
#include "perfgate/report/parts/text.h"
#include "perfgate/report/session_summary.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kHowToRead =
    "median over rounds; [lo, hi] holds it with the confidence beside it. The intervals describe "
    "each arm alone and are no test of a difference.";

std::string name_of(const CaseInfo& info, const Metric& metric) {
  return metric.name == "real_time" ? info.name : info.name + " [" + metric.name + "]";
}

std::string interval_of(const Spread& s, const Metric& metric) {
  if (s.rounds == 0) return "-";
  return "[" + format_value(s.lo, metric) + ", " + format_value(s.hi, metric) + "]";
}

std::string fault_text(const Session& session, const Fault& fault) {
  std::string text;
  if (fault.case_index < session.cases.size()) {
    text = session.cases[fault.case_index].name + ", ";
  }
  text += session.arms[static_cast<std::size_t>(fault.arm)].label;
  if (!fault.metric.empty()) text += ", " + fault.metric;
  if (fault.round >= 0) text += ", round " + std::to_string(fault.round);
  text += ": " + std::string(to_string(fault.kind));
  if (!fault.detail.empty()) text += ": " + fault.detail;
  return text;
}

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

// What stands for the machine and the schedule where perfgate did not measure.
std::vector<Fact> import_facts(const Session& session) {
  std::vector<Fact> facts;
  std::set<std::string> programs;
  for (const Origin& origin : session.origins) {
    programs.insert(origin.version.empty() ? origin.format : origin.format + " " + origin.version);
  }
  facts.push_back({"Imported", counted(session.rounds.size(), "round") + " from " +
                                   counted(session.origins.size(), "file") + " (" + Join(programs) +
                                   "); grade " + session.grade});
  std::set<std::string> averaged;
  for (const CaseInfo& info : session.cases) {
    averaged.insert(info.aggregates.begin(), info.aggregates.end());
  }
  if (!averaged.empty()) {
    facts.push_back({"Averaged", Join(averaged) +
                                     ": the tool's own figures, without samples; no claim rests "
                                     "on them"});
  }
  return facts;
}

// "environment.gpu_clocks is pending, workload.seed is missing"
std::string unstated_text(const std::vector<NamedValue>& unstated) {
  std::string text;
  for (const auto& [field, state] : unstated) {
    AppendItem(text, field + " is " + state);
  }
  return text;
}

std::vector<Fact> measuring_facts(const Session& session) {
  std::vector<Fact> facts = {machine_fact(session.machine)};
  const std::vector<int> cpus =
      session.rounds.empty() ? std::vector<int>() : session.rounds.back().cpus;
  if (!session.rounds.empty()) facts.push_back(core_fact(cpus, typical_conditions(session)));
  facts.push_back({"Measured", measured_text(static_cast<int>(session.rounds.size()),
                                             session.wall_s, session.timed_s)});
  if (!session.rounds.empty()) facts.push_back(replay_fact(session.schedule));
  return facts;
}

std::vector<Fact> session_facts(const Session& session) {
  std::vector<Fact> facts = arm_facts(session.arms);
  for (Fact& fact : session.origins.empty() ? measuring_facts(session) : import_facts(session)) {
    facts.push_back(std::move(fact));
  }
  if (!session.unstated.empty()) {
    facts.push_back({"Unstated", unstated_text(session.unstated) + ": no claim rests on it"});
  }
  if (!session.unknown_metrics.empty()) {
    const std::set<std::string> names(session.unknown_metrics.begin(),
                                      session.unknown_metrics.end());
    facts.push_back({"Unknown", Join(names) + ": unknown_metric, shown and never judged; " +
                                    "--metrics says what a name means"});
  }
  if (!session.complete) {
    facts.push_back(
        {"Warning", "partial: " + (session.incomplete_reason.empty() ? std::string("interrupted")
                                                                     : session.incomplete_reason)});
  }
  for (const Fault& fault : session.faults) {
    facts.push_back({"Fault", fault_text(session, fault)});
  }
  std::set<std::string_view> seen;
  for (const std::string& warning : session.warnings) {
    if (seen.insert(warning).second) facts.push_back({"Warning", warning});
  }
  for (const std::string& text : session.policy.overrides) facts.push_back({"Override", text});
  return facts;
}

std::string paragraph(std::string_view text) {
  std::string result;
  for (const std::string& line : wrapped(text, kConsoleWidth)) result += line + "\n";
  return result;
}

// Columns of the console table.
enum : std::size_t {
  kCase,
  kArm,
  kMedian,
  kInterval,
  kConfidence,
  kRounds,
  kIterations,
  kSetup,
  kRate,
  kCeiling
};
constexpr std::size_t kGap = 2;

const std::vector<Align> kAlign = {Align::kLeft,  Align::kLeft,  Align::kRight, Align::kRight,
                                   Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                                   Align::kRight, Align::kRight};

std::string rate_text(double bytes_per_second) {
  static const Metric kBytes = {"", "B/s", Direction::kHigher, Kind::kRate};
  return std::isfinite(bytes_per_second) ? format_value(bytes_per_second, kBytes) : "";
}

std::string ceiling_text(double share) { return std::isfinite(share) ? format_share(share) : ""; }

Row row_of(const Session& session, std::size_t c, std::size_t m, std::size_t a) {
  constexpr std::size_t kLongestLabel = 14;
  const CaseInfo& info = session.cases[c];
  const Metric& metric = session.metrics[m];
  const Spread s = spread(round_medians(session, c, m, a));
  const bool one_arm = session.arms.size() == 1;
  // The arms of a case stand below each other; the first one bears the name.
  return {{a == 0 ? escaped_ascii(name_of(info, metric)) : "", ""},
          {one_arm ? "" : shortened(escaped_ascii(session.arms[a].label), kLongestLabel), ""},
          {format_value(s.median, metric), ""},
          {interval_of(s, metric), ""},
          {s.confidence > 0 ? format_share(s.confidence) : "-", ""},
          {std::to_string(s.rounds), ""},
          {m == 0 && info.iterations > 0 ? std::to_string(info.iterations) : "", ""},
          {m == 0 && session.origins.empty() ? format_share(info.setup_share) : "", ""},
          {m == 0 ? rate_text(bytes_per_second(session, c, a)) : "", ""},
          {m == 0 ? ceiling_text(share_of_ceiling(session, c, a)) : "", ""}};
}

// Metrics that the case has in no arm are no rows; the time is always one.
std::vector<Row> rows_of(const Session& session) {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (is_informational(session.metrics[m].name)) continue;
      std::vector<Row> arms;
      bool any = m == 0;
      for (std::size_t a = 0; a < session.arms.size(); ++a) {
        arms.push_back(row_of(session, c, m, a));
        any = any || arms.back()[kRounds].text != "0";
      }
      if (any) rows.insert(rows.end(), arms.begin(), arms.end());
    }
  }
  return rows;
}

std::string table_text(const Session& session) {
  std::vector<Row> rows = rows_of(session);
  const Row header = {{"case", ""},    {session.arms.size() == 1 ? "" : "arm", ""},
                      {"median", ""},  {"[lo, hi]", ""},
                      {"conf.", ""},   {"n", ""},
                      {"iters", ""},   {"set-up", ""},
                      {"bytes/s", ""}, {"ceiling", ""}};
  rows.insert(rows.begin(), header);
  // A line has room for one of the two kinds of detail; the Markdown report has both.
  const std::size_t unused = declares_bytes(session) ? kIterations : kRate;
  for (Row& row : rows) {
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(unused),
              row.begin() + static_cast<std::ptrdiff_t>(unused) + 2);
  }
  std::vector<std::size_t> widths = column_widths(rows);
  std::size_t taken = kGap * (rows[0].size() - 1);
  for (std::size_t i = kArm; i < widths.size(); ++i) taken += widths[i];
  constexpr std::size_t kShortestCase = 8;
  const std::size_t left = kConsoleWidth - std::min(kConsoleWidth - kShortestCase, taken);
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const Row& row : rows) names.push_back(row[kCase].text);
  names = shortened_names(names, left);
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][kCase].text = names[i];
  widths = column_widths(rows);
  for (const Row& row : rows) text += table_line(row, widths, kAlign, kConsoleWidth);
  return text;
}

std::string title_of(const Session& session) {
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

}  // namespace

std::string session_console_report(const Session& session, const ConsoleOptions&) {
  std::string text = paragraph(escaped_ascii(title_of(session)));
  if (session.cases.empty()) {
    text += paragraph("No case was measured: there is none, or the filter leaves none.");
  } else {
    text += table_text(session);
    text += "\n" + fact_lines("Read", kHowToRead);
  }
  for (const Fact& fact : session_facts(session)) {
    text += fact_lines(fact.label, escaped_ascii(fact.value));
  }
  return text;
}

std::string session_markdown_report(std::span<const Session> sessions) {
  if (sessions.empty()) return "";
  MarkdownTable table;
  std::string titles;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const std::string name = sessions.size() == 1 ? "" : block_name(i) + ": ";
    titles += (name.empty() ? "" : "**" + block_name(i) + "**: ") +
              markdown_text(title_of(sessions[i])) + "\n\n";
    add_session(table, sessions[i], name);
  }
  std::string text = titles;
  if (table.keys.empty()) {
    text += "No case was measured.\n\n";
  } else {
    text += table_markdown(table) + "\n" + markdown_text(kHowToRead) + "\n\n";
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const std::string name = sessions.size() == 1 ? "" : block_name(i) + ": ";
    text += markdown_details(name + "machine, faults and warnings", session_facts(sessions[i]));
  }
  return text;
}

}  // namespace perfgate::report
