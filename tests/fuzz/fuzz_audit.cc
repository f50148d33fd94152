// SPDX-License-Identifier: Apache-2.0
// Files for the audit, PERFGATE_FUZZ_ENDING of which says whether they are Markdown or JSON:
// tables, record lists, measurements, claims. An empty line that ends a JSON document begins
// another, so that claims meet the facts that they refer to.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "perfgate/audit/audit.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/report/audit_report.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

constexpr std::string_view kEnding = PERFGATE_FUZZ_ENDING;

// The next document; the rest stays in `bytes`.
std::string_view next_document(std::string_view& bytes) {
  const std::size_t end = kEnding == ".md" ? std::string_view::npos : bytes.find("}\n\n");
  const std::string_view document =
      end == std::string_view::npos ? bytes : bytes.substr(0, end + 1);
  bytes.remove_prefix(document.size());
  return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perfgate;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::expect_only_errors([&] {
    audit::AuditInput input;
    int number = 0;
    do {
      audit::read_audit_text("file" + std::to_string(number++) + std::string(kEnding),
                             next_document(bytes), input);
    } while (!bytes.empty());
    const audit::AuditResult result = audit::audit(input);
    for (const audit::Finding& finding : result.findings) {
      fuzz::require(!finding.explanation.empty() && !finding.file.empty());
    }
    parse_strict_json(report::audit_json_report(result), "report");
    fuzz::require(!report::audit_console_report(result, false).empty());
    fuzz::require(!report::audit_markdown_report(result).empty());
  });
  return 0;
}
