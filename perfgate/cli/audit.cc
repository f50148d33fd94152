// SPDX-License-Identifier: Apache-2.0
// perfgate audit: recomputes published tables and lists what does not hold.
#include "perfgate/audit/audit.h"

#include <memory>

#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/report/audit_report.h"

namespace perfgate::cli {
namespace {

struct AuditOptions {
  std::vector<std::string> files;
  std::string claims;
  std::string format = "console";
  std::string output = "-";
  std::string json;
  DisplayOptions display{};
};

Exit audit(const AuditOptions& options) {
  check_outputs({options.output, options.json});
  audit::AuditInput input;
  for (const std::string& file : options.files) audit::read_audit_file(file, input);
  if (!options.claims.empty()) audit::read_audit_file(options.claims, input);
  const audit::AuditResult result = audit::audit(input);
  if (!options.json.empty()) write_output(options.json, report::audit_json_report(result));
  if (options.format == "json") {
    write_output(options.output, report::audit_json_report(result));
  } else if (options.format == "md" || options.format == "markdown") {
    write_output(options.output, report::audit_markdown_report(result));
  } else {
    write_output(options.output,
                 report::audit_console_report(
                     result, ConsoleOptionsOf(options.display, options.output != "-").color));
  }
  return result.findings.empty() ? Exit::kPass : Exit::kRegression;
}

}  // namespace

Command add_audit(CLI::App& app) {
  auto options = std::make_shared<AuditOptions>();
  app.add_option("FILE", options->files,
                 "Tables (Markdown or JSON), published lists and measurements; files that refer to "
                 "each other belong in one call")
      ->required();
  app.add_option("--claims", options->claims, "A further file, with what was claimed");
  app.add_option("--format", options->format, "console, markdown (md) or json [console]")
      ->check(CLI::IsMember({"console", "md", "markdown", "json"}));
  app.add_option("--output", options->output, "Write to this file; - for standard output [-]");
  app.add_option("--json", options->json, "Also write the findings as JSON to this file");
  AddColorOption(app, options->display);
  app.footer(
      "Exits 0 where everything recomputes, 10 on findings, 65 for files that cannot be read and\n"
      "14 for files that cannot be trusted. docs/audit.md has the rules.");
  return [options] { return audit(*options); };
}

}  // namespace perfgate::cli
