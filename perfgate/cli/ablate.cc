// SPDX-License-Identifier: Apache-2.0
// perfgate ablate: one executable whose cases differ in options: which option is worth its place?
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/experiments/ablation.h"
#include "perfgate/report/ablation_report.h"

namespace perfgate::cli {
namespace {

struct AblateOptions {
  MeasureOptions measure;
  gate::AblationRequest request;
};

Exit RunAblate(const AblateOptions& options) {
  const MeasureOptions& outputs = options.measure;
  gate::AblationRequest request = options.request;
  request.measure = MeasureRequestOf(options.measure);
  check_outputs({outputs.json, outputs.session, outputs.markdown});
  const InterruptScope interrupts;
  gate::AblationResult result;
  {
    ProgressDisplay display;
    result = gate::RunAblation(request, display);
  }
  write_output(outputs.json, verdict_to_json(result.ablation.suite));
  write_output(outputs.markdown, report::ablation_markdown_report(result.ablation));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::ablation_console_report(result.ablation));
  }
  throw_if_interrupted();
  return result.exit;
}

}  // namespace

Command add_ablate(CLI::App& app) {
  auto options = std::make_shared<AblateOptions>();
  app.add_option("BIN", options->request.executable,
                 "Google Benchmark executable with perfgate::main")
      ->required();
  app.add_option("--key", options->request.keys,
                 "Option in names of cases, as gemv of .../gemv:reference: compared with the case "
                 "without it, or with another value: gemv=own; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  app.footer(
      "Exit codes: 0 every option is decided, whatever for; 12 some are unresolved;\n"
      "11, 13, 14 some could not be judged. --alpha is the chance that any option is wrongly\n"
      "called worse, and the chance that any is wrongly called better. --hide-limit and\n"
      "--claim-improvements concern the verdict file alone.");
  return [options] { return RunAblate(*options); };
}

}  // namespace perfgate::cli
