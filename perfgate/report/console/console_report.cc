// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console/console_report.h"

#include <algorithm>
#include <string_view>

#include "perfgate/base/text/join.h"
#include "perfgate/report/console/verdict_table.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

// How to read the numbers of the table; nothing where there are none.
std::string Legend(const SuiteVerdict& verdict) {
  const std::string intervals = interval_legend(verdict.columns);
  if (intervals.empty()) return "";
  return "baseline and candidate: medians over n rounds; change of the candidate against the "
         "baseline, + is worse. " +
         intervals;
}

// What stands in the way of a table, or is needed to read it right; empty for an ordinary verdict.
std::string SpecialText(const SuiteVerdict& verdict) {
  if (verdict.columns.empty()) {
    return "No case was compared: the suite is empty, or the filter leaves nothing of it.";
  }
  if (verdict.identical) {
    return "Both arms are the same executable, so nothing was measured: it cannot be slower than "
           "itself. Measure it against itself with --aa.";
  }
  const bool all_skipped =
      std::all_of(verdict.columns.begin(), verdict.columns.end(),
                  [](const ColumnVerdict& c) { return c.verdict == Verdict::kSkipped; });
  return all_skipped ? "Every case skipped itself; nothing was measured." : "";
}

std::string Conclusion(const SuiteVerdict& verdict) {
  std::string text = escaped_ascii(verdict.suite);
  text += text.empty() ? "" : ": ";
  text += escaped_ascii(verdict.summary);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  text += text.empty() ? "" : ". ";
  return text + "Exit " + std::to_string(static_cast<int>(verdict.exit)) + ", " +
         std::string(exit_meaning(verdict.exit)) + ".";
}

}  // namespace

std::string console_report(const SuiteVerdict& verdict, const ConsoleOptions& options) {
  const std::size_t width = options.ProseWidth();
  std::string text;
  if (!verdict.columns.empty()) text += VerdictTable(verdict, options) + "\n";
  const std::string special = SpecialText(verdict);
  if (!special.empty()) text += paragraph(special, width);
  text += paragraph(Conclusion(verdict), width);
  if (!options.verbose) return text + fact_list(brief_verdict_facts(verdict), width);
  const std::string how = Legend(verdict);
  if (!how.empty()) text += fact_lines("Read", how, width);
  return text + fact_list(verdict_facts(verdict), width);
}

}  // namespace perfgate::report
