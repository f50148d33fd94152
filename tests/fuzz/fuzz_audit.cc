// SPDX-License-Identifier: Apache-2.0
// Files for the audit, the parameter of which says whether they are Markdown or JSON:
// tables, record lists, measurements, claims. An empty line that ends a JSON document begins
// another, so that claims meet the facts that they refer to.
#include <string>
#include <string_view>

#include "perfgate/audit/audit.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/report/audit_report.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

namespace {

// The next document; the rest stays in `bytes`.
std::string_view next_document(std::string_view& bytes, std::string_view ending) {
  const std::size_t end = ending == ".md" ? std::string_view::npos : bytes.find("}\n\n");
  const std::string_view document =
      end == std::string_view::npos ? bytes : bytes.substr(0, end + 1);
  bytes.remove_prefix(document.size());
  return document;
}

}  // namespace

PERFGATE_FUZZ_TARGET(audit) {
  using namespace perfgate;
  fuzz::expect_only_errors([&] {
    audit::AuditInput input;
    int number = 0;
    do {
      audit::read_audit_text("file" + std::to_string(number++) + std::string(parameter),
                             next_document(bytes, parameter), input);
    } while (!bytes.empty());
    const audit::AuditResult result = audit::audit(input);
    for (const audit::Finding& finding : result.findings) {
      fuzz::require(!finding.explanation.empty() && !finding.file.empty());
    }
    parse_strict_json(report::audit_json_report(result), "report");
    fuzz::require(!report::audit_console_report(result, false).empty());
    fuzz::require(!report::audit_markdown_report(result).empty());
  });
}
