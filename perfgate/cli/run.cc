// SPDX-License-Identifier: Apache-2.0
// perfgate run: measure executables side by side and record the session; nothing is decided.
#include "perfgate/gate/experiments/run.h"

#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/exits.h"
#include "perfgate/report/session_report.h"

namespace perfgate::cli {
namespace {

struct RunOptions {
  MeasureOptions measure;
  std::vector<std::string> executables;
};

Exit RunCommand(const RunOptions& options) {
  const gate::RunRequest request = {options.executables, MeasureRequestOf(options.measure)};
  check_writable(options.measure.session);
  const InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    session = gate::RunArms(request, display);
  }
  print(report::session_console_report(session, ConsoleOptionsOf(options.measure.display)));
  throw_if_interrupted();
  return gate::ExitOfSession(session);
}

}  // namespace

Command add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("BIN", options->executables, "Google Benchmark executables")->required();
  add_measuring_options(app, options->measure);
  app.footer("Measures 10 rounds unless --rounds or the budget says otherwise.");
  return [options] { return RunCommand(*options); };
}

}  // namespace perfgate::cli
