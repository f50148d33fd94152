// SPDX-License-Identifier: Apache-2.0
// perfgate gate: two executables in, a verdict out.
#include "perfgate/gate/gate.h"

#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/arm_options.h"
#include "perfgate/cli/options/command_options.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/gate/recorded/stored.h"
#include "perfgate/gate/roots/roots.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/markdown_report.h"

namespace perfgate::cli {
namespace {

struct GateOptions {
  MeasureOptions measure;
  gate::GateRequest request;
  std::string suspected = "fail";
  std::string session_gap = "30s";
  std::string hot_code = "named";
  std::vector<std::string> arms;
  std::string key;
};

gate::HotCodeUse HotCodeUseOf(const std::string& word) {
  if (word == "off") return gate::HotCodeUse::kOff;
  return word == "all" ? gate::HotCodeUse::kAll : gate::HotCodeUse::kNamed;
}

Exit RunGateCommand(const GateOptions& options) {
  const MeasureOptions& outputs = options.measure;
  gate::GateRequest request = options.request;
  TakeArms(options.arms, request);
  request.measure = MeasureRequestOf(options.measure);
  if (options.measure.isolate.empty() && !request.store.trusted.empty()) {
    request.measure.isolation.use = measure::IsolationUse::kBest;
  }
  request.measure.key = KeyOf(options.key);
  for (const std::string& file : {options.key, options.measure.json, options.measure.markdown}) {
    if (!file.empty() && file != "-") request.measure.isolation.hidden.push_back(file);
  }
  request.suspected =
      options.suspected == "warn" ? gate::Suspicion::kWarns : gate::Suspicion::kFails;
  request.store.session_gap_s = parse_duration_s(options.session_gap, "--session-gap");
  request.hot_code = HotCodeUseOf(options.hot_code);
  check_outputs({outputs.json, outputs.session, outputs.markdown});
  const InterruptScope interrupts;
  gate::GateResult result;
  {
    ProgressDisplay display;
    result = gate::RunGate(request, display);
  }
  write_output(outputs.json, gate::VerdictText(result.verdict, request.measure.signer()));
  write_output(outputs.markdown, report::markdown_report({&result.verdict, 1}));
  if (outputs.json != "-") {
    print(report::console_report(result.verdict, ConsoleOptionsOf(outputs.display)));
  }
  throw_if_interrupted();
  return result.exit;
}

void AddStoreOptions(CLI::App& app, GateOptions& options) {
  gate::StoreRequest& store = options.request.store;
  app.add_option("--cache", store.cache,
                 "Folder of executables of accepted states [" + store.cache + "]")
      ->check(not_empty());
  app.add_option("--trusted", store.trusted,
                 "Read store and policy from this git commit (its full id); options may only "
                 "tighten")
      ->check(not_empty());
  app.add_flag("--numbers", store.numbers,
               "Compare with the recorded numbers even where the executable is at hand");
  app.add_option("--sessions", store.sessions,
                 "Sessions of the candidate when only numbers are compared [3]")
      ->check(CLI::Range(1, 1000));
  app.add_option("--session-gap", options.session_gap, "Pause between those sessions [30s]")
      ->check(not_empty());
  app.add_option("--allow", options.request.allow,
                 "Compare although this differs, e.g. toolchain_mismatch; caps the claim")
      ->check(CLI::IsMember(gate::OverridableReasons()));
}

void AddRootOptions(CLI::App& app, GateOptions& options) {
  gate::RootsRequest& roots = options.request.roots;
  AddKeyOption(app, options.key,
               "File of a key: sign verdict, session and ledger, and read only what it signed");
  app.add_option("--ledger", options.request.ledger,
                 "Folder of attempts: a rerun on the same executables goes on where the last "
                 "stopped, and a regression is final")
      ->check(not_empty());
  app.add_option("--ledger-head", roots.ledger_head,
                 "Hash of a line that the ledger must have, as an earlier verdict says")
      ->check(not_empty());
  app.add_option("--change", roots.change,
                 "Pull request or branch that is judged: the ledger counts its candidates, so "
                 "that another build of it is no fresh chance")
      ->check(not_empty());
  app.add_option("--repository", roots.repository,
                 "Repository of the change [git's remote origin, or its first commit]")
      ->check(not_empty());
}

}  // namespace

Command add_gate(CLI::App& app) {
  auto options = std::make_shared<GateOptions>();
  gate::GateRequest& request = options->request;
  app.add_option("--baseline", request.baseline,
                 "Executable of the accepted state, a store (a folder or git:REV:FOLDER), or a "
                 "file of results");
  app.add_option("--candidate", request.candidate, "Executable to judge, or a file of results");
  app.add_flag("--aa", request.aa,
               "Measure an executable against itself: shows what this machine's noise does");
  AddArmOptions(app, request);
  AddCommandOptions(app, request.command);
  app.add_option("ARMS", options->arms,
                 "OLD and NEW: the same as --baseline OLD --candidate NEW; with --command two "
                 "command lines");
  app.add_flag("--bootstrap", request.bootstrap, "Pass when every case is new");
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  AddDetailOptions(app, options->measure.display);
  AddStoreOptions(app, *options);
  add_metrics_option(app, request.metrics);
  app.add_option("--suspected", options->suspected,
                 "What a slowdown that only recorded numbers show does to the exit code: fail "
                 "(15) or warn (0) [fail]")
      ->check(CLI::IsMember({"fail", "warn"}));
  app.add_option("--hot-code", options->hot_code,
                 "Sample cases to see whether they run the same code in both: off, named (those "
                 "that would be slower or faster) or all [named]")
      ->check(CLI::IsMember({"off", "named", "all"}));
  AddRootOptions(app, *options);
  return [options] { return RunGateCommand(*options); };
}

}  // namespace perfgate::cli
