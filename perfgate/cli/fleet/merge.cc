// SPDX-License-Identifier: Apache-2.0
// perfgate merge: the sessions of a fleet's jobs in, one verdict out.
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/gate/fleet/fleet.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/markdown_report.h"

namespace perfgate::cli {
namespace {

struct MergeOptions {
  gate::MergeRequest request;
  std::string key;
  std::string hot_code = "named";
  std::string json;
  std::string markdown;
  DisplayOptions display{};
};

Exit RunMerge(const MergeOptions& options) {
  gate::MergeRequest request = options.request;
  request.measure.key = KeyOf(options.key);
  if (options.hot_code == "off") request.hot_code = gate::HotCodeUse::kOff;
  if (options.hot_code == "all") request.hot_code = gate::HotCodeUse::kAll;
  check_outputs({options.json, request.measure.session, options.markdown});
  const InterruptScope interrupts;
  gate::GateResult result;
  {
    ProgressDisplay display;
    result = gate::MergeFleet(request, display);
  }
  const std::string verdict = verdict_to_json(result.verdict);
  const SecretKey* signer = request.measure.signer();
  write_output(options.json,
               signer == nullptr ? verdict : WithSignature(verdict, options.json, *signer));
  write_output(options.markdown, report::markdown_report({&result.verdict, 1}));
  if (options.json != "-") {
    print(report::console_report(result.verdict, ConsoleOptionsOf(options.display)));
  }
  throw_if_interrupted();
  return result.exit;
}

}  // namespace

Command add_merge(CLI::App& app) {
  auto options = std::make_shared<MergeOptions>();
  app.add_option("PLAN", options->request.plan, "File that perfgate plan --split wrote")
      ->required();
  app.add_option("SESSIONS", options->request.sessions,
                 "Files that perfgate run --fleet wrote, one of each job, in any order")
      ->required();
  app.add_option("--json", options->json, "Write the verdict to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options->markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  app.add_option("--session", options->request.measure.session,
                 "Write the merged session to this file")
      ->check(not_empty());
  app.add_option("--hot-code", options->hot_code,
                 "Sample cases to see whether they run the same code in both: off, named (those "
                 "that would be slower or faster) or all [named]")
      ->check(CLI::IsMember({"off", "named", "all"}));
  AddKeyOption(app, options->key, "File of a key: sign the verdict, read only sessions it signed");
  AddColorOption(app, options->display);
  AddDetailOptions(app, options->display);
  app.footer(
      "Exits as perfgate gate on the whole suite would: one family, one alpha. 13 when a job is\n"
      "missing or there twice, or machines, executables or plans differ.");
  return [options] { return RunMerge(*options); };
}

}  // namespace perfgate::cli
