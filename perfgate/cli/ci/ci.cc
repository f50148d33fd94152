// SPDX-License-Identifier: Apache-2.0
// perfgate ci: a change of a repository in, a verdict out.
#include "perfgate/ci/ci.h"

#include <filesystem>
#include <memory>
#include <thread>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/ci/ci_system.h"
#include "perfgate/cli/ci/ci_comment.h"
#include "perfgate/cli/ci/ci_summary.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/gate/roots/roots.h"
#include "perfgate/report/console/console_report.h"

namespace perfgate::cli {
namespace {

constexpr const char* kRevisions = "Revisions";
constexpr const char* kBuilding = "Building";

struct CiOptions {
  MeasureOptions measure;
  ci::CiRequest request;
  std::string build_limit = "3600s";
  std::string key;
  std::string summary;
  gate::ArmSettings arms;
  bool comment = false;
  CommentOptions posting;
};

void FillGateRequest(const CiOptions& options, const ci::CiSystem& system, ci::CiRequest& request) {
  MeasureOptions measure = options.measure;
  request.suite_from = measure.suite_from;
  request.policy = measure.policy_file;
  measure.policy_file.clear();
  if (measure.isolate.empty()) measure.isolate = "best";
  if (measure.suite.empty()) {
    measure.suite = request.build.target.empty()
                        ? std::filesystem::path(request.build.bench).filename().string()
                        : request.build.target;
  }
  request.gate.measure = MeasureRequestOf(measure);
  request.gate.baseline_arm = request.gate.candidate_arm = options.arms;
  request.gate.measure.key = KeyOf(options.key);
  if (!options.key.empty()) request.gate.measure.isolation.hidden.push_back(options.key);
  if (request.gate.roots.change.empty()) request.gate.roots.change = system.change;
  if (!request.gate.roots.change.empty() && request.gate.roots.repository.empty()) {
    request.gate.roots.repository = system.project;
  }
}

void RequireLibraries(const ci::CiRequest& request) {
  if (request.suite_from.empty() == request.libraries.empty()) return;
  throw Error(Exit::kUsage,
              "--suite-from COMMIT and --library FOLDER belong together: benchmarks and build "
              "files are those of the commit, the libraries those of the change");
}

// Trouble with a page that only shows the verdict changes nothing.
template <class Write>
void TryTo(const char* what, Write write) {
  try {
    write();
  } catch (const Error& error) {
    std::fprintf(stderr, "perfgate: warning: %s: %s\n", what, error.what());
  }
}

void PrintResult(const CiOptions& options, const ci::CiResult& result) {
  if (result.verdict) {
    print(report::console_report(*result.verdict, ConsoleOptionsOf(options.measure.display)));
    return;
  }
  std::string text = result.trouble + "\n";
  for (const std::string& line : result.log) text += "  " + line + "\n";
  for (const std::string& name : result.new_cases) text += name + "  new\n";
  print(text);
}

Exit RunCiCommand(const CiOptions& options) {
  const ci::CiSystem system = ci::CiSystemHere();
  ci::CiRequest request = options.request;
  request.build.limit_s = parse_duration_s(options.build_limit, "--build-limit");
  if (request.target.empty()) request.target = system.target;
  FillGateRequest(options, system, request);
  RequireLibraries(request);
  check_outputs({options.measure.json, options.measure.session, options.measure.markdown});
  const InterruptScope interrupts;
  ci::CiResult result;
  {
    ProgressDisplay display;
    result = ci::RunCi(request, display);
  }
  if (result.verdict) {
    const std::string text = gate::VerdictText(*result.verdict, request.gate.measure.signer());
    write_file_atomically(request.output + "/verdict.json", text);
    write_output(options.measure.json, text);
  }
  const std::string summary = CiSummary(result);
  TryTo("no report", [&] { write_file_atomically(request.output + "/report.md", summary); });
  TryTo("no report", [&] { write_output(options.measure.markdown, summary); });
  const std::string page = options.summary.empty() ? system.summary_file : options.summary;
  TryTo("no summary", [&] { AppendSummary(page, summary); });
  if (options.comment) {
    const std::vector<SuiteVerdict> verdicts =
        result.verdict ? std::vector{*result.verdict} : std::vector<SuiteVerdict>{};
    CommentOptions posting = options.posting;
    if (posting.name.empty()) posting.name = request.gate.measure.suite;
    TryTo("no comment", [&] { Post(posting, system, verdicts); });
  }
  if (options.measure.json != "-") PrintResult(options, result);
  throw_if_interrupted();
  return result.exit;
}

void AddRevisionOptions(CLI::App& app, ci::CiRequest& request) {
  const auto text = [&](const char* name, std::string& value, const char* help) {
    return app.add_option(name, value, help)->check(not_empty())->group(kRevisions);
  };
  text("--repo", request.repo, "Folder of the repository [.]");
  text("--base", request.base,
       "Revision to compare with [merge base with the branch that the change goes to; on that "
       "branch HEAD while there are changes, else HEAD~1]");
  text("--branch", request.target,
       "Branch that the change goes to [as the CI system says, else the default branch]");
  text("--head", request.head, "Revision to judge [the working tree with its changes]");
  text("--trusted", request.trusted,
       "Revision that --policy and --accept are read from [the base]");
  text("--accept", request.accept,
       "File of intended slowdowns, as a path in the repository; read from the trusted revision");
  app.add_option("--library", request.libraries,
                 "With --suite-from: folder that stays the change's own; all else is of that "
                 "commit; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty())
      ->group(kRevisions);
  text("--change", request.gate.roots.change, "Number of the pull request [as the CI system says]");
  text("--ledger", request.gate.ledger,
       "Folder of attempts: a rerun goes on where the last stopped");
}

void AddRunOptions(CLI::App& app, CiOptions& options) {
  constexpr const char* kRunning = "Running";
  app.add_option("--args", options.arms.arguments,
                 "Arguments of both programs, as one text: '--size 64 --words {data}/words.txt'")
      ->group(kRunning);
  app.add_option("--env", options.arms.environment,
                 "NAME=VALUE in the environment of both; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kRunning);
  app.add_option("--data", options.request.data,
                 "Folder or file in the repository that both may read, from the trusted revision; "
                 "{data} in --args and --env is where it lies; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty())
      ->group(kRunning);
}

void AddBuildOptions(CLI::App& app, CiOptions& options) {
  ci::BuildPlan& build = options.request.build;
  const auto text = [&](const char* name, std::string& value, const char* help) {
    app.add_option(name, value, help)->check(not_empty())->group(kBuilding);
  };
  text("--target", build.target, "Target of a CMake project: the benchmark executable");
  text("--source", build.source, "Folder of its CMakeLists.txt in the repository [.]");
  text("--configure", build.configure, "More arguments for cmake: '-DTESTS=OFF -DX=1'");
  text("--build", build.command,
       "Any other build: a command for /bin/sh, run at the top of the source tree");
  text("--bench", build.bench, "Executable that --build makes, as a path in the source tree");
  app.add_flag("--build-network", build.network, "Builds may fetch what they need")
      ->group(kBuilding);
  text("--build-limit", options.build_limit, "Longest build [3600s]");
  app.add_option("--build-memory", build.memory_mib, "Memory of a build, MiB [16384]")
      ->check(CLI::PositiveNumber)
      ->group(kBuilding);
  app.add_option("--jobs", build.jobs, "Compilers at once, with --target [number of cores]")
      ->check(CLI::PositiveNumber)
      ->group(kBuilding);
  app.add_flag("--fresh", options.request.fresh, "Build the base again although it is there")
      ->group(kBuilding);
  text("--output", options.request.output,
       "Folder of builds, verdict.json, session.json and report.md [perfgate-ci]");
}

}  // namespace

Command add_ci(CLI::App& app) {
  auto options = std::make_shared<CiOptions>();
  options->request.build.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  AddRevisionOptions(app, options->request);
  AddBuildOptions(app, *options);
  AddRunOptions(app, *options);
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  AddDetailOptions(app, options->measure.display);
  app.get_option("--policy")
      ->description("Policy file, as a path in the repository; read from the trusted revision");
  app.get_option("--isolate")
      ->description("Sandbox for builds and arms: no, best or require [best]");
  app.remove_option(app.get_option("--session"));
  AddKeyOption(app, options->key, "File of a key that signs what is written");
  app.add_option("--summary", options->summary,
                 "Append the report (Markdown) to this file [as GitHub Actions says]")
      ->check(not_empty());
  app.add_flag(
         "--comment", options->comment,
         "Post the verdict as a comment on the pull request; its trouble changes no exit code")
      ->group(kPosting);
  AddPostingOptions(app, options->posting);
  CLI::App* comment =
      app.add_subcommand("comment", "post verdicts as one comment, kept up to date");
  const Command post = AddComment(*comment);
  app.footer(
      "Exit codes are those of perfgate gate. Also: 11 the change does not build, 13 the base\n"
      "does not build, 0 with every case new where the base has no such suite.");
  return [options, comment, post] { return comment->parsed() ? post() : RunCiCommand(*options); };
}

}  // namespace perfgate::cli
