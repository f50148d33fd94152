// SPDX-License-Identifier: Apache-2.0
// perfgate calibrate: an executable against itself, for a fixed number of rounds: what this
// machine's noise does to the suite, and to the gate.
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/experiments/calibration.h"
#include "perfgate/report/calibration_report.h"
#include "perfgate/verdict/planning/noise_analysis.h"

namespace perfgate::cli {
namespace {

struct CalibrateOptions {
  MeasureOptions measure;
  std::string executable;
  std::string output;
};

// --budget and --rounds say how long to calibrate, not how long to gate.
gate::CalibrationRequest RequestOf(const CalibrateOptions& options) {
  MeasureOptions of_gate = options.measure;
  of_gate.budget.clear();
  of_gate.rounds.reset();
  gate::CalibrationRequest request;
  request.executable = options.executable;
  request.measure = MeasureRequestOf(of_gate);
  if (!options.measure.budget.empty()) {
    request.budget_s = parse_duration_s(options.measure.budget, "--budget");
  }
  request.rounds = options.measure.rounds;
  return request;
}

Exit RunCalibrate(const CalibrateOptions& options) {
  const gate::CalibrationRequest request = RequestOf(options);
  check_outputs({options.output, options.measure.session});
  const InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    session = gate::MeasureCalibration(request, display);
  }
  // Too little is known then: no calibration is better than one of the first few rounds.
  throw_if_interrupted();
  const gate::CalibrationResult result = gate::JudgeCalibration(request, session);
  write_output(options.output, calibration_to_json(result.calibration));
  if (options.output != "-") {
    print(report::calibration_console_report(result.calibration, analyse_noise(result.calibration),
                                             ConsoleOptionsOf(options.measure.display)));
  }
  return result.exit;
}

}  // namespace

Command add_calibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  app.add_option("BIN", options->executable, "Google Benchmark executable")->required();
  app.add_option("--output,--json", options->output,
                 "Write the calibration to this file; - for standard output")
      ->check(not_empty());
  add_measuring_options(app, options->measure, "2min");
  app.footer(
      "Measures the executable against itself and never stops early: 2 minutes, or --rounds.\n"
      "--policy is the policy of the gate whose false alarms and reach are shown; its budget and\n"
      "rounds are the gate's. Exits 0, 11 when a case failed, 12 and 13 when nothing was "
      "measured.");
  return [options] { return RunCalibrate(*options); };
}

}  // namespace perfgate::cli
