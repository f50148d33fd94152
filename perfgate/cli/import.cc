// SPDX-License-Identifier: Apache-2.0
// perfgate import: results of other benchmark tools as a session.
#include <memory>

#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/metrics/parse_request_rules.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/import/detect.h"
#include "perfgate/import/to_session.h"
#include "perfgate/report/session_report.h"

namespace perfgate::cli {
namespace {

struct ImportOptions {
  std::vector<std::string> files;
  std::string format;
  std::string arm = "candidate";
  std::string suite;
  std::string output;
  std::string manifest;
  std::string policy;
  std::string metrics;
  std::vector<std::string> limits;
  std::string allow_failed;
  DisplayOptions display{};
};

// A value that was rejected, or a failure, of something that a gate would decide on.
Exit import_exit(const Session& session) {
  Exit exit = Exit::kPass;
  for (const Fault& fault : session.faults) {
    if (fault.kind == FaultKind::kSkipped) continue;
    if (fault.kind != FaultKind::kBadValue) {
      if (exit == Exit::kPass) exit = Exit::kFailed;
      continue;
    }
    Metric metric;
    metric.name = fault.metric;
    if (column_policy(session.policy, session.cases[fault.case_index].name, metric).gate) {
      return Exit::kInvalid;
    }
  }
  return exit;
}

Exit import_files(const ImportOptions& options) {
  check_writable(options.output);
  import::SessionOptions session_options;
  session_options.arm = options.arm;
  session_options.suite = options.suite;
  session_options.importer = "perfgate " PERFGATE_VERSION;
  if (!options.manifest.empty()) {
    session_options.manifest = import::read_manifest(options.manifest);
  }
  if (!options.policy.empty()) session_options.policy = read_policy(options.policy);
  MetricRegistry registry = read_metrics(options.metrics);
  if (!options.limits.empty() || !options.allow_failed.empty()) {
    registry.set_request_rules(ParseRequestRules(options.limits, options.allow_failed,
                                                 "--limit, --allow-failed", registry));
  }
  std::vector<import::Document> documents;
  for (const std::string& file : options.files) {
    documents.push_back(import::read_foreign(file, options.format, registry));
  }
  const Session session = import::to_session(documents, session_options);
  if (!options.output.empty()) write_output(options.output, session_to_json(session));
  if (options.output != "-") {
    print(report::session_console_report(session, ConsoleOptionsOf(options.display)));
  }
  return import_exit(session);
}

std::string format_list() {
  std::string list;
  for (const import::Format& format : import::formats()) {
    list += "\n  " + std::string(format.name) + std::string(18 - format.name.size(), ' ') +
            std::string(format.program);
  }
  return list;
}

}  // namespace

Command add_import(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->files,
                 "Result files of one arm, each a round; for criterion a folder")
      ->required()
      ->check(not_empty());
  app.add_option("--format", options->format, "Format of all files [by their content]")
      ->check(not_empty());
  app.add_option("--arm", options->arm, "Name of the arm [candidate]")->check(not_empty());
  app.add_option("--suite", options->suite, "Name of the suite, for files and reports")
      ->check(not_empty());
  app.add_option("--manifest", options->manifest,
                 "What must be in the files: cases, workload, environment (JSON)")
      ->check(not_empty());
  app.add_option("--policy", options->policy,
                 "Policy file (JSON) of the session; its metrics declare counters to decide on")
      ->check(not_empty());
  add_metrics_option(app, options->metrics);
  app.add_option("--limit", options->limits,
                 "METRIC=TIME that a good request keeps (ttft=200ms; tpot, e2e_latency): adds\n"
                 "request_goodput and limit_misses; once for each metric")
      ->allow_extra_args(false)
      ->check(not_empty());
  app.add_option("--allow-failed", options->allow_failed,
                 "Share of a run's requests that may fail (1%); failed_share is compared instead")
      ->check(not_empty());
  app.add_option("--output", options->output,
                 "Write the session to this file; - for standard output, instead of the report")
      ->check(not_empty());
  AddColorOption(app, options->display);
  app.footer("Formats:" + format_list() +
             "\n\nExits 14 where a value was rejected, 11 where a benchmark failed or an expected\n"
             "one is missing (the session is written all the same), 65 where a file cannot be\n"
             "read, 14 where it cannot be trusted. docs/import.md says what is read and what not.");
  return [options] { return import_files(*options); };
}

}  // namespace perfgate::cli
