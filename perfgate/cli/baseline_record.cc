// SPDX-License-Identifier: Apache-2.0
// perfgate baseline record: measures the accepted state and adds the sessions to a store.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/baseline_options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/gate/experiments/recording.h"
#include "perfgate/gate/layouts.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/report/text/format.h"
#include "perfgate/store/baseline_store.h"
#include "perfgate/store/executable_cache.h"
#include "perfgate/store/git.h"

namespace perfgate::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kDefaultRounds = 5;

// What the sources were. Error(kInvalid) when nobody can say.
store::WorkingTree provenance(const BaselineOptions& options) {
  if (!options.commit.empty()) return {options.commit, {}};
  auto tree = store::working_tree({options.store, options.cache});
  if (!tree) {
    throw Error(Exit::kInvalid,
                "this folder is in no git repository, so nobody could tell what was measured: run "
                "it where the sources are, or give --commit");
  }
  if (!tree->changed.empty() && !options.allow_dirty) {
    std::string names;
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(kShown, tree->changed.size()); ++i) {
      names += (i > 0 ? ", " : "") + tree->changed[i];
    }
    if (tree->changed.size() > kShown) names += ", ...";
    throw Error(Exit::kInvalid, "the working tree differs from its commit (" + names +
                                    "): a baseline is the state of a commit. Commit first, or "
                                    "give --allow-dirty and it will say so");
  }
  return *tree;
}

// Cases of a session whose rounds disagree: largest over smallest value beyond 1 + limit, as
// "case: 1.2 to 2.4 us over 5 rounds (+100 %)".
std::vector<std::string> DisagreeingCases(const RecordedSession& session, double limit) {
  std::vector<std::string> result;
  for (const RecordedCase& info : session.cases) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (!is_relative(session.metrics[m].kind)) continue;
      if (is_informational(session.metrics[m].name)) continue;
      std::vector<double> values = info.values[m];
      std::erase_if(values, [](double v) { return !std::isfinite(v); });
      if (values.size() < 2) continue;
      const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
      if (*hi <= *lo * (1 + limit)) continue;
      result.push_back(info.name + " " + session.metrics[m].name + ": " +
                       report::format_value(*lo, session.metrics[m]) + " to " +
                       report::format_value(*hi, session.metrics[m]) + " over " +
                       std::to_string(values.size()) + " rounds (+" +
                       std::to_string(std::lround(100 * (*hi / *lo - 1))) + " %)");
    }
  }
  return result;
}

Policy recording_policy(const BaselineOptions& options) {
  const std::string machine = machine_class(class_fields(measure::probe_machine()));
  const fs::path own = fs::path(options.store) / machine / options.measure.suite / "policy.json";
  std::error_code error;
  gate::PolicyRequest request = PolicyRequestOf(options.measure);
  if (request.file.empty() && fs::exists(own, error)) request.file = own.string();
  Policy policy = gate::ResolvePolicy(request);
  if (!options.measure.rounds) policy.rounds = kDefaultRounds;
  return policy;
}

// One session: checked, added to the store, the executable kept.
void keep_session(RecordedSession session, const BaselineOptions& options,
                  const store::WorkingTree& tree) {
  const double limit = parse_fraction(options.disagree, "--disagree");
  const std::vector<std::string> disagreeing = DisagreeingCases(session, limit);
  if (!disagreeing.empty()) {
    std::string text;
    for (const std::string& line : disagreeing) text += "\n  " + line;
    throw Error(Exit::kInvalid, "the rounds of this session disagree by more than " +
                                    options.disagree + ", it was not recorded:" + text +
                                    "\nTry again on a quieter machine (perfgate doctor).");
  }
  session.commit = tree.commit;
  session.dirty = !tree.changed.empty();
  const std::optional<SecretKey> key = KeyOf(options.key);
  const std::string file = store::append_session(options.store, session, key ? &*key : nullptr);
  const std::string digest = gate::DigestOfProgram(options.executable);
  if (digest != session.executable.digest) {
    throw Error(Exit::kInvalid, options.executable +
                                    " was rebuilt while it was measured; the "
                                    "session is recorded, its executable is not kept");
  }
  if (layouts::NamesLayouts(options.executable)) {
    store::cache_layouts(options.cache, digest, options.executable);
  } else {
    store::cache_executable(options.cache, digest, options.executable,
                            measure::inspect_executable(options.executable).libraries);
  }
  print("recorded " + file + "\n");
}

// Options of measuring that a recording has no use for: better refused than ignored.
void refuse_idle_options(const MeasureOptions& measure) {
  const std::pair<const char*, bool> given[] = {{"--budget", !measure.budget.empty()},
                                                {"--seed", !measure.seed.empty()},
                                                {"--session", !measure.session.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) {
      throw Error(Exit::kUsage, std::string(name) +
                                    " has no effect on a recording: --rounds says how long a "
                                    "session is, its coins are new, and it is kept in the store");
    }
  }
}

}  // namespace

void AddRecordOptions(CLI::App& app, BaselineOptions& options) {
  app.add_option("BIN", options.executable, "Google Benchmark executable of the accepted state")
      ->required();
  AddStoreOption(app, options, "");
  app.add_option("--cache", options.cache,
                 "Folder to keep the executable in [" + options.cache + "]")
      ->check(not_empty());
  app.add_option("--sessions", options.sessions, "Sessions to record [1]")
      ->check(CLI::Range(1, 1000));
  app.add_option("--gap", options.gap, "Pause between sessions [30s]")->check(not_empty());
  app.add_option("--commit", options.commit, "Commit of the sources [that of the working tree]")
      ->check(not_empty());
  app.add_flag("--allow-dirty", options.allow_dirty,
               "Record although the working tree differs from its commit");
  app.add_option("--disagree", options.disagree,
                 "Refuse a session whose rounds differ by more than this [50%]")
      ->check(not_empty());
  AddKeyOption(app, options.key, "File of a key: sign the store's lines, and its policy with them");
  add_measuring_options(app, options.measure);
  app.footer(
      "Measures 5 rounds per session unless --rounds says otherwise; --budget, --seed and\n"
      "--session are refused.\n"
      "Nothing is recorded when a case fails (11), when rounds disagree or the sources are not a\n"
      "commit (14). Spread sessions over the time that you want to compare across: sessions back\n"
      "to back understate the machine's drift. Keep ten or more: with fewer than seven, numbers\n"
      "alone show nothing.");
}

Exit RecordBaseline(const BaselineOptions& options) {
  refuse_idle_options(options.measure);
  if (options.measure.suite.empty()) throw Error(Exit::kUsage, "name the suite with --suite");
  KeyOf(options.key);  // refused now rather than after a minute of measuring
  const store::WorkingTree tree = provenance(options);
  gate::RecordRequest request;
  request.executable = options.executable;
  request.label = "executable";
  request.suite = options.measure.suite;
  request.policy = recording_policy(options);
  request.cpus = options.measure.cpus;
  request.sessions = options.sessions;
  request.preload = !options.measure.no_preload;
  request.gap_s = parse_duration_s(options.gap, "--gap");
  const InterruptScope interrupts;
  ProgressDisplay display;
  request.each = [&](const RecordedSession& session) {
    display.Clear();
    keep_session(session, options, tree);
  };
  gate::RecordSessions(request, display);
  return Exit::kPass;
}

}  // namespace perfgate::cli
