// SPDX-License-Identifier: Apache-2.0
// perfgate parity: is an agent's version as fast as a human's?
#include "perfgate/gate/experiments/parity.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/cli/parity_published.h"
#include "perfgate/cli/parity_repository.h"
#include "perfgate/cli/parity_studies.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/gate/recorded/stored.h"
#include "perfgate/report/parity/parity_agents_report.h"
#include "perfgate/report/parity/parity_report.h"

namespace perfgate::cli {
namespace {

struct ParityOptions {
  std::vector<std::string> from;
  gate::ParityRequest live;
  std::vector<std::string> agents;  // "PATH" or "NAME=PATH"
  MeasureOptions measure;
  std::string margin;  // "3%"
  PublishedOptions published;
  StudyOptions studies;
  RepositoryOptions study;
};

// "NAME=PATH", unless there is a file of that whole name.
gate::AgentArm AgentOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(text, ignored)) return {"", text};
  if (equals == 0 || equals + 1 == text.size()) {
    throw Error(Exit::kUsage, "'" + text + "' is no agent; write PATH or NAME=PATH");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void require_arms(const ParityOptions& options) {
  const std::pair<const char*, bool> arms[] = {{"--baseline", !options.live.baseline.empty()},
                                               {"--human", !options.live.human.empty()},
                                               {"--agent", !options.agents.empty()}};
  for (const auto& [name, is_given] : arms) {
    if (!is_given) {
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
      {"--isolate", !m.isolate.empty()},
      {"--second-clock", !m.second_clock.empty()},
      {"--plausibility", !m.plausibility.empty()},
      {"--unchecked-speedup", m.unchecked_speedup.has_value()},
      {"--primary", published && !options.live.primary.empty()}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    throw Error(Exit::kUsage, std::string(name) + " has no effect with --from: " +
                                  (published ? "published values are read by the 5 % rule and a "
                                               "fixed order of metrics"
                                             : "it was settled when the session was measured"));
  }
}

void ShowOne(const MeasureOptions& outputs, const ParityVerdict& verdict) {
  write_output(outputs.json, parity_to_json(verdict));
  write_output(outputs.markdown, report::parity_markdown_report(verdict));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::parity_console_report(verdict, ConsoleOptionsOf(outputs.display)));
  }
}

void ShowSeveral(const MeasureOptions& outputs, const ParityAgents& agents) {
  write_output(outputs.json, parity_agents_to_json(agents));
  write_output(outputs.markdown, report::AgentsMarkdownReport(agents));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::AgentsConsoleReport(agents, ConsoleOptionsOf(outputs.display)));
  }
}

Exit Show(const ParityOptions& options, gate::ParityResult result) {
  const bool one = result.verdicts.size() == 1;
  const Exit exit = one ? result.verdict.exit : result.together.exit;
  if (one) {
    ShowOne(options.measure, result.verdict);
  } else {
    ShowSeveral(options.measure, {std::move(result.together), std::move(result.verdicts)});
  }
  throw_if_interrupted();
  return exit;
}

// Executables, or files of results.
Exit CompareArms(const ParityOptions& options) {
  const MeasureOptions& outputs = options.measure;
  gate::ParityRequest request = options.live;
  for (const std::string& agent : options.agents) request.agents.push_back(AgentOf(agent));
  request.measure = MeasureRequestOf(options.measure);
  if (!options.margin.empty()) request.margin = parse_fraction(options.margin, "--margin");
  check_outputs({outputs.json, outputs.session, outputs.markdown});
  const InterruptScope interrupts;
  gate::ParityResult result;
  {
    ProgressDisplay display;
    result = gate::RunParity(request, display);
  }
  return Show(options, std::move(result));
}

void RefuseOptionsOfStudies(const ParityOptions& options) {
  if (options.studies.AnyOutput()) {
    throw Error(Exit::kUsage, "--population, --inventory and --change-log belong to --from");
  }
}

// With --repo and --tasks.
void RefuseOptionsOfFiles(const ParityOptions& options) {
  RefuseOptionsOfStudies(options);
  if (!options.live.metrics.empty() || !options.live.allow.empty()) {
    throw Error(Exit::kUsage,
                "--metrics and --allow belong to three files of results, not to --repo and "
                "--tasks");
  }
  if (!options.live.baseline.empty()) {
    throw Error(Exit::kUsage,
                "--baseline is an executable; a repository has --base COMMIT, and a task file "
                "\"arms\"");
  }
}

Exit parity(ParityOptions options) {
  if (options.study.given()) {
    if (!options.from.empty()) {
      throw Error(Exit::kUsage, "--from reads a file; it takes no repository");
    }
    refuse_published_options(options.published);
    RefuseOptionsOfFiles(options);
    return ParityOfRepository(
        options.study, {options.live.human, options.agents, options.margin, options.live.primary},
        options.measure);
  }
  const bool any_arm =
      !options.live.baseline.empty() || !options.live.human.empty() || !options.agents.empty();
  if (options.from.empty()) {
    require_arms(options);
    refuse_published_options(options.published);
    RefuseOptionsOfStudies(options);
    return CompareArms(options);
  }
  if (!options.live.metrics.empty() || !options.live.allow.empty()) {
    throw Error(Exit::kUsage,
                "--metrics and --allow belong to three files of results, not to --from");
  }
  if (any_arm) {
    throw Error(Exit::kUsage, "--from reads a file; it takes no executables to measure");
  }
  const bool studies = ReadsStudies(options.from, options.studies);
  const bool recorded = !studies && gate::IsSessionFile(options.from.front());
  refuse_measuring_options(options, !recorded);
  if (recorded) {
    refuse_published_options(options.published);
    check_outputs({options.measure.json, options.measure.markdown});
    return Show(options, gate::JudgeParity(options.from.front(), options.live.primary));
  }
  PublishedOptions& published = options.published;
  published.from = options.from.front();
  published.json = options.measure.json;
  published.markdown = options.measure.markdown;
  published.display = options.measure.display;
  if (studies) return parity_studies(options.from, options.studies, published);
  return parity_published(published);
}

}  // namespace

Command add_parity(CLI::App& app) {
  auto options = std::make_shared<ParityOptions>();
  gate::ParityRequest& live = options->live;
  app.add_option("--baseline", live.baseline,
                 "Executable of the original state, or a file of its results")
      ->check(not_empty());
  app.add_option("--human", live.human,
                 "Executable with the human's change, or a file of its results; with --repo a "
                 "commit")
      ->check(not_empty());
  app.add_option("--agent", options->agents,
                 "Executable with an agent's change, or a file of its results: PATH or NAME=PATH; "
                 "repeatable, up to 8 [called agent, agent2, ...]; with --repo a patch or commit")
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
  add_belief_options(app, options->measure);
  add_metrics_option(app, live.metrics);
  app.add_option("--allow", live.allow,
                 "Files: compare although this differs, e.g. toolchain_mismatch; caps the claim")
      ->check(CLI::IsMember(gate::OverridableReasons()));
  AddRepositoryOptions(app, options->study);
  app.add_option("--from", options->from,
                 "Judge a recorded session, or published values: a population file "
                 "(perfgate-parity-commits/1) or a folder of a study's result files; repeat it for "
                 "several, later reruns replace older results")
      ->check(not_empty());
  add_study_options(app, options->studies);
  add_published_options(app, options->published);
  app.footer(
      "Exits 0 when the agent wins or matches a human who has an effect, 10 on a loss, 11 when "
      "the\n"
      "agent failed, 12 when unresolved or vacuous, 13 when not comparable, 14 when two arms are\n"
      "one executable, 15 when files that were measured apart say that it is slower; of several\n"
      "agents the worst decides. Published single values never exit 0: they carry no samples.");
  return [options] { return parity(*options); };
}

}  // namespace perfgate::cli
