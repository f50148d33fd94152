// SPDX-License-Identifier: Apache-2.0
// perfgate parity: is an agent's version as fast as a human's?
#include "perfgate/gate/experiments/parity.h"

#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/cli/parity_published.h"
#include "perfgate/cli/parity_study.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/gate/recorded/stored.h"
#include "perfgate/report/parity_report.h"

namespace perfgate::cli {
namespace {

struct ParityOptions {
  std::string from;
  gate::ParityRequest live;
  MeasureOptions measure;
  std::string margin;  // "3%"
  PublishedOptions published;
  StudyOptions study;
  std::vector<std::string> agents;
};

void require_arms(const gate::ParityRequest& live) {
  const std::pair<const char*, const std::string*> arms[] = {
      {"--baseline", &live.baseline}, {"--human", &live.human}, {"--agent", &live.agent}};
  for (const auto& [name, value] : arms) {
    if (value->empty()) {
      throw Error(Exit::kUsage,
                  std::string(name) +
                      " is missing; parity compares three executables or three "
                      "files of results, or reads published values or a session with --from FILE");
    }
  }
}

// What decides how a session is measured is of no use to one that is there, and a margin chosen
// after the numbers is none.
void refuse_measuring_options(const ParityOptions& options, bool published) {
  const MeasureOptions& m = options.measure;
  const std::pair<const char*, bool> given[] = {
      {"--margin", !options.margin.empty()},
      {"--policy", !m.policy_file.empty()},
      {"--filter", !m.filter.empty()},
      {"--budget", !m.budget.empty()},
      {"--rounds", m.rounds.has_value()},
      {"--slice", !m.slice.empty()},
      {"--pairs", m.pairs.has_value()},
      {"--cpu", !m.cpus.empty()},
      {"--seed", !m.seed.empty()},
      {"--suite", !m.suite.empty()},
      {"--session", !m.session.empty()},
      {"--oversubscribe", m.oversubscribe},
      {"--primary", published && !options.live.primary.empty()}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    throw Error(Exit::kUsage, std::string(name) + " has no effect with --from: " +
                                  (published ? "published values are read by the 5 % rule and a "
                                               "fixed order of metrics"
                                             : "it was settled when the session was measured"));
  }
}

Exit Show(const ParityOptions& options, const gate::ParityResult& result) {
  const MeasureOptions& outputs = options.measure;
  write_output(outputs.json, parity_to_json(result.verdict));
  write_output(outputs.markdown, report::parity_markdown_report(result.verdict));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::parity_console_report(result.verdict, {.color = outputs.color}));
  }
  throw_if_interrupted();
  return result.verdict.exit;
}

// Three executables, or three files of results.
Exit CompareArms(const ParityOptions& options) {
  const MeasureOptions& outputs = options.measure;
  gate::ParityRequest request = options.live;
  request.measure = MeasureRequestOf(options.measure);
  if (!options.margin.empty()) request.margin = parse_fraction(options.margin, "--margin");
  check_outputs({outputs.json, outputs.session, outputs.markdown});
  const InterruptScope interrupts;
  gate::ParityResult result;
  {
    ProgressDisplay display;
    result = gate::RunParity(request, display);
  }
  return Show(options, result);
}

Exit parity(ParityOptions options) {
  if (options.study.given()) {
    if (!options.from.empty()) {
      throw Error(Exit::kUsage, "--from reads a file; it takes no repository");
    }
    return ParityStudy(options.study, options.agents, options.live.human, options.margin,
                       options.measure);
  }
  if (options.agents.size() > 1) {
    throw Error(Exit::kUsage, "several --agent belong to --repo; here give one executable");
  }
  if (!options.agents.empty()) options.live.agent = options.agents.front();
  const bool any_arm =
      !options.live.baseline.empty() || !options.live.human.empty() || !options.live.agent.empty();
  if (options.from.empty()) {
    require_arms(options.live);
    if (!options.published.summary.empty() || options.published.devices) {
      throw Error(Exit::kUsage, "--summary and --devices belong to --from");
    }
    return CompareArms(options);
  }
  if (!options.live.metrics.empty() || !options.live.allow.empty()) {
    throw Error(Exit::kUsage,
                "--metrics and --allow belong to three files of results, not to --from");
  }
  if (any_arm) {
    throw Error(Exit::kUsage, "--from reads a file; it takes no executables to measure");
  }
  const bool recorded = gate::IsSessionFile(options.from);
  refuse_measuring_options(options, !recorded);
  if (recorded) {
    check_outputs({options.measure.json, options.measure.markdown});
    return Show(options, gate::JudgeParity(options.from, options.live.primary));
  }
  PublishedOptions& published = options.published;
  published.from = options.from;
  published.json = options.measure.json;
  published.markdown = options.measure.markdown;
  published.color = options.measure.color;
  return parity_published(published);
}

}  // namespace

Command add_parity(CLI::App& app) {
  auto options = std::make_shared<ParityOptions>();
  gate::ParityRequest& live = options->live;
  PublishedOptions& published = options->published;
  app.add_option("--baseline", live.baseline,
                 "Executable of the original state, or a file of its results")
      ->check(not_empty());
  app.add_option("--human", live.human,
                 "Executable with the human's change, or a file of its results; with --repo a "
                 "commit")
      ->check(not_empty());
  app.add_option(
         "--agent", options->agents,
         "Executable with the agent's change, or a file of its results; with --repo a patch "
         "or commit, repeatable")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->check(not_empty());
  app.add_option("--margin", options->margin,
                 "Difference within which two arms match, e.g. 3% [5%]")
      ->check(not_empty());
  app.add_option("--primary", live.primary,
                 "Metric that decides a case [a throughput, tpot, ttft, a latency, else the time]")
      ->check(not_empty());
  app.add_option("--json", options->measure.json,
                 "Write the verdict (with published values: the answers) to this file; - for "
                 "standard output")
      ->check(not_empty());
  app.add_option("--markdown", options->measure.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  add_measuring_options(app, options->measure);
  add_metrics_option(app, live.metrics);
  app.add_option("--allow", live.allow,
                 "Files: compare although this differs, e.g. toolchain_mismatch; caps the claim")
      ->check(CLI::IsMember(gate::OverridableReasons()));
  AddStudyOptions(app, options->study);
  app.add_option("--from", options->from,
                 "Judge a recorded session, or published values (perfgate-parity-commits/1), "
                 "instead of measuring")
      ->check(not_empty());
  app.add_option("--summary", published.summary,
                 "Published values: write views, failures, dispositions and needs to this file")
      ->check(not_empty());
  app.add_option("--devices", published.devices,
                 "Published values: say which items a machine with so many GPUs can verify");
  app.add_option("--vram", published.vram_gib, "Memory of each of those GPUs, GiB");
  app.add_option("--vendor", published.vendor, "Their vendor: nvidia, amd or intel")
      ->check(CLI::IsMember({"nvidia", "amd", "intel"}));
  app.footer(
      "Exits 0 when the agent wins or matches a human who has an effect, 10 on a loss, 11 when "
      "the\n"
      "agent failed, 12 when unresolved or vacuous, 13 when not comparable, 14 when two arms are\n"
      "one executable, 15 when files that were measured apart say that it is slower. Published "
      "single values never exit 0: they carry no samples.");
  return [options] { return parity(*options); };
}

}  // namespace perfgate::cli
