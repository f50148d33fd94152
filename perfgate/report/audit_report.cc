// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/audit_report.h"

#include <algorithm>
#include <array>
#include <vector>

#include "perfgate/base/json/json_writer.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/console_options.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/table.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

using audit::AuditResult;
using audit::Finding;
using audit::Severity;

std::size_t number_of(const AuditResult& result, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(result.findings.begin(), result.findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string headline(const AuditResult& result) {
  if (result.findings.empty()) return "no findings";
  return counted(result.findings.size(), "finding") + ": " +
         std::to_string(number_of(result, Severity::kHigh)) + " high, " +
         std::to_string(number_of(result, Severity::kMedium)) + " medium, " +
         std::to_string(number_of(result, Severity::kLow)) + " low";
}

std::string what_was_checked(const AuditResult& result) {
  const audit::Checked& checked = result.checked;
  const auto of = [](int value, const std::string& what) {
    return counted(static_cast<std::size_t>(std::max(value, 0)), what);
  };
  std::string text = "checked " + of(checked.tables, "table") + ": " +
                     of(checked.cells_derived, "derived cell") + " by " +
                     of(checked.relations, "relation") + ", " + of(checked.claims, "claim");
  if (checked.claims_unchecked > 0) {
    text += " (" + std::to_string(checked.claims_unchecked) + " more with nothing to recompute)";
  }
  if (checked.commits > 0) text += ", " + of(checked.commits, "published commit");
  return text;
}

// "tables/x.md:12" or "tables/x.json /rows/0/ratio".
std::string source(const Finding& finding) {
  if (finding.line > 0) return finding.file + ":" + std::to_string(finding.line);
  return finding.pointer.empty() ? finding.file : finding.file + " " + finding.pointer;
}

std::string_view color_of(Severity severity) {
  if (severity == Severity::kHigh) return kRed;
  return severity == Severity::kMedium ? kYellow : std::string_view{};
}

void append_block(std::string& out, const Finding& finding, bool color) {
  constexpr std::string_view kIndent = "      ";
  constexpr std::array kHead = {Align::kLeft, Align::kLeft, Align::kLeft};
  const std::vector<std::size_t> widths = {4, 15, 0};
  const std::string place = shortened(escaped_ascii(audit::place_text(finding)), 70);
  const Row head = {{std::string(audit::word_of(finding.severity)),
                     color ? color_of(finding.severity) : std::string_view{}},
                    {std::string(audit::word_of(finding.kind)), {}},
                    {place, {}}};
  out += table_line(head, widths, {kHead.begin(), kHead.end()}, kConsoleWidth);
  const auto lines = [&](const std::string& text) {
    for (const std::string& line : wrapped(escaped_ascii(text), kConsoleWidth - kIndent.size())) {
      out.append(kIndent).append(line).append("\n");
    }
  };
  lines(source(finding));
  lines("published " + finding.published + "; recomputed " + finding.recomputed);
  lines(finding.explanation);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += ", ";
  json_io::append_text(out, name);
  out += ": ";
  json_io::append_text(out, value);
}

std::string json_of(const Finding& finding) {
  std::string out = "{\"file\": ";
  json_io::append_text(out, finding.file);
  if (finding.line > 0) out += ", \"line\": " + std::to_string(finding.line);
  append_field(out, "pointer", finding.pointer);
  append_field(out, "table", finding.table);
  if (finding.row > 0) out += ", \"row\": " + std::to_string(finding.row);
  append_field(out, "column", finding.column);
  append_field(out, "claim", finding.claim);
  append_field(out, "commit", finding.commit);
  append_field(out, "field", finding.field);
  append_field(out, "kind", audit::word_of(finding.kind));
  append_field(out, "severity", audit::word_of(finding.severity));
  append_field(out, "published", finding.published);
  append_field(out, "recomputed", finding.recomputed);
  append_field(out, "explanation", finding.explanation);
  return out + "}";
}

}  // namespace

std::string audit_console_report(const AuditResult& result, bool color) {
  std::string out;
  for (const Finding& finding : result.findings) {
    append_block(out, finding, color);
    out += "\n";
  }
  out += headline(result) + "\n";
  out += paragraph(what_was_checked(result));
  for (const std::string& note : result.notes) out += paragraph(escaped_ascii("note: " + note));
  return out;
}

std::string audit_markdown_report(const AuditResult& result) {
  std::string out = "### Audit: " + headline(result) + "\n\n";
  if (!result.findings.empty()) {
    out += markdown_header({"severity", "kind", "where", "published", "recomputed", "why"}, {});
    for (const Finding& finding : result.findings) {
      out += markdown_row(
          {std::string(audit::word_of(finding.severity)), std::string(audit::word_of(finding.kind)),
           markdown_code(source(finding)) + " " + markdown_text(audit::place_text(finding)),
           markdown_text(finding.published), markdown_text(finding.recomputed),
           markdown_text(finding.explanation)});
    }
    out += "\n";
  }
  out += markdown_text(what_was_checked(result)) + "\n";
  for (const std::string& note : result.notes) out += "\nNote: " + markdown_text(note) + "\n";
  return out;
}

std::string audit_json_report(const AuditResult& result) {
  std::string out = "{\"format\": \"perfgate-audit-report\",\n\"version\": 1,\n\"findings\": [";
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    out += (i == 0 ? "\n  " : ",\n  ") + json_of(result.findings[i]);
  }
  out += result.findings.empty() ? "],\n" : "\n],\n";
  const audit::Checked& checked = result.checked;
  out += R"("checked": {"tables": )" + std::to_string(checked.tables) +
         ", \"cells_derived\": " + std::to_string(checked.cells_derived) +
         ", \"relations\": " + std::to_string(checked.relations) +
         ", \"claims\": " + std::to_string(checked.claims) +
         ", \"claims_unchecked\": " + std::to_string(checked.claims_unchecked) +
         ", \"commits\": " + std::to_string(checked.commits) + "},\n\"notes\": [";
  for (std::size_t i = 0; i < result.notes.size(); ++i) {
    if (i > 0) out += ", ";
    json_io::append_text(out, result.notes[i]);
  }
  return out + "]}\n";
}

}  // namespace perfgate::report
