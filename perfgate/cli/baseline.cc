// SPDX-License-Identifier: Apache-2.0
// perfgate baseline: record, show, verify and prune the recorded sessions of the accepted state.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/store_options.h"
#include "perfgate/cli/record_sessions.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/store/baseline_store.h"
#include "perfgate/store/executable_cache.h"
#include "perfgate/store/git.h"
#include "perfgate/verdict/recorded/qualification.h"
#include "perfgate/verdict/recorded/session_rows.h"

namespace perfgate::cli {
namespace {

namespace fs = std::filesystem;

struct BaselineOptions {
  MeasureOptions measure;
  std::string executable;
  std::string store = kDefaultStore;
  std::string cache = kDefaultCache;
  std::string commit;
  std::string gap = "30s";
  std::string disagree = "50%";
  int sessions = 1;
  bool allow_dirty = false;
  std::size_t keep = 0;
};

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

Policy recording_policy(const BaselineOptions& options) {
  const std::string machine = machine_class(class_fields(measure::probe_machine()));
  const fs::path own = fs::path(options.store) / machine / options.measure.suite / "policy.json";
  std::error_code error;
  MeasureOptions measure = options.measure;
  if (measure.policy_file.empty() && fs::exists(own, error)) measure.policy_file = own.string();
  Policy policy = make_policy(measure);
  if (!options.measure.rounds) policy.rounds = kDefaultRounds;
  return policy;
}

// One session: checked, added to the store, the executable kept.
void keep_session(RecordedSession session, const BaselineOptions& options,
                  const store::WorkingTree& tree) {
  const double limit = parse_fraction(options.disagree, "--disagree");
  const std::vector<std::string> disagreeing = disagreeing_cases(session, limit);
  if (!disagreeing.empty()) {
    std::string text;
    for (const std::string& line : disagreeing) text += "\n  " + line;
    throw Error(Exit::kInvalid, "the rounds of this session disagree by more than " +
                                    options.disagree + ", it was not recorded:" + text +
                                    "\nTry again on a quieter machine (perfgate doctor).");
  }
  session.commit = tree.commit;
  session.dirty = !tree.changed.empty();
  const std::string file = store::append_session(options.store, session);
  store::cache_executable(options.cache, session.executable.digest, options.executable);
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

Exit record(const BaselineOptions& options) {
  refuse_idle_options(options.measure);
  if (options.measure.suite.empty()) throw Error(Exit::kUsage, "name the suite with --suite");
  const store::WorkingTree tree = provenance(options);
  RecordPlan plan;
  plan.executable = options.executable;
  plan.label = "executable";
  plan.suite = options.measure.suite;
  plan.policy = recording_policy(options);
  plan.cpus = options.measure.cpus;
  plan.sessions = options.sessions;
  plan.gap_s = parse_duration_s(options.gap, "--gap");
  plan.each = [&](const RecordedSession& session) { keep_session(session, options, tree); };
  const InterruptScope interrupts;
  record_sessions(plan);
  return Exit::kPass;
}

std::vector<store::SuiteFolder> chosen_suites(const BaselineOptions& options,
                                              const std::string& root) {
  std::vector<store::SuiteFolder> suites = store::list_suites(root);
  std::erase_if(suites, [&](const store::SuiteFolder& suite) {
    return !options.measure.suite.empty() && suite.suite != options.measure.suite;
  });
  if (suites.empty()) throw Error(Exit::kData, root + ": has no such baseline");
  return suites;
}

std::string describe(const store::Baseline& baseline) {
  std::string text = baseline.machine_class + "/" + baseline.suite + ": " +
                     std::to_string(baseline.sessions.size()) + " session(s), chain " +
                     baseline.head + "\n";
  std::vector<RecordedSession> sessions;
  for (const store::StoredFile& file : baseline.sessions) {
    const RecordedSession& session = file.session;
    constexpr std::size_t kShort = 12;
    char line[400];
    std::snprintf(line, sizeof line, "  %s  %s%s  %.19s  %d rounds, %zu cases\n",
                  session.started.c_str(), session.commit.substr(0, kShort).c_str(),
                  session.dirty ? "+changes" : "", session.executable.digest.c_str(),
                  session.rounds, session.cases.size());
    text += line;
    sessions.push_back(session);
  }
  if (!sessions.empty()) {
    const std::vector<RecordedSession> accepted = of_newest_executable(sessions);
    text += "  accepted state: " + std::to_string(accepted.size()) +
            " session(s) of the newest executable, " +
            qualify(accepted, baseline.policy.value_or(Policy{})).text + "\n";
  }
  for (const std::string& note : baseline.notes) text += "  note: " + note + "\n";
  return text;
}

Exit show(const BaselineOptions& options) {
  const StoreFolder folder(options.store);
  for (const store::SuiteFolder& suite : chosen_suites(options, folder.path())) {
    print(describe(store::read_baseline(suite)));
  }
  return Exit::kPass;
}

// Every suite is checked before the first problem ends it.
Exit verify(const BaselineOptions& options) {
  const StoreFolder folder(options.store);
  Exit worst = Exit::kPass;
  for (const store::SuiteFolder& suite : chosen_suites(options, folder.path())) {
    const std::string name = suite.machine_class + "/" + suite.suite;
    try {
      const store::Baseline baseline = store::read_baseline(suite);
      print("ok      " + name + ": " + std::to_string(baseline.sessions.size()) +
            " session(s), chain " + baseline.head + "\n");
      for (const std::string& note : baseline.notes) print("note    " + note + "\n");
    } catch (const Error& error) {
      print("broken  " + name + ": " + error.what() + "\n");
      if (worst != Exit::kData) worst = error.exit();
    }
  }
  return worst;
}

// For scripts: 13 and a reason where this machine has no baseline to compare with.
Exit find(const BaselineOptions& options) {
  const StoreFolder folder(options.store);
  print(baseline_of_machine(folder, options.measure.suite, measure::probe_machine()).folder + "\n");
  return Exit::kPass;
}

Exit prune(const BaselineOptions& options) {
  for (const store::SuiteFolder& suite : chosen_suites(options, options.store)) {
    const store::Pruned pruned = store::prune(suite, options.keep);
    print(suite.machine_class + "/" + suite.suite + ": removed " +
          std::to_string(pruned.removed.size()) + " session(s) and " +
          std::to_string(pruned.leftover.size()) + " leftover file(s)\n");
  }
  return Exit::kPass;
}

void add_store(CLI::App& app, BaselineOptions& options, const char* more) {
  app.add_option("--store", options.store,
                 std::string("Folder of the baselines") + more + " [" + kDefaultStore + "]")
      ->check(not_empty());
}

void add_record(CLI::App& app, BaselineOptions& options) {
  app.add_option("BIN", options.executable, "Google Benchmark executable of the accepted state")
      ->required();
  add_store(app, options, "");
  app.add_option("--cache", options.cache,
                 std::string("Folder to keep the executable in [") + kDefaultCache + "]")
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
  add_measuring_options(app, options.measure);
  app.footer(
      "Measures 5 rounds per session unless --rounds says otherwise; --budget, --seed and\n"
      "--session are refused.\n"
      "Nothing is recorded when a case fails (11), when rounds disagree or the sources are not a\n"
      "commit (14). Spread sessions over the time that you want to compare across: sessions back\n"
      "to back understate the machine's drift. Keep ten or more: with fewer than seven, numbers\n"
      "alone show nothing.");
}

}  // namespace

Command add_baseline(CLI::App& app) {
  auto options = std::make_shared<BaselineOptions>();
  auto chosen = std::make_shared<Exit (*)(const BaselineOptions&)>(nullptr);
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* help, Exit (*run)(const BaselineOptions&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    sub->callback([chosen, run] { *chosen = run; });
    return sub;
  };
  add_record(*add("record", "measure an executable and add the session", record), *options);
  for (CLI::App* sub : {add("show", "list the sessions and what they can decide", show),
                        add("find", "print the folder of this machine's baseline", find),
                        add("verify", "check schema, digests and chain of every suite", verify)}) {
    add_store(*sub, *options, ", or git:REV:FOLDER");
    sub->add_option("--suite", options->measure.suite, "Only this suite")->check(not_empty());
  }
  CLI::App* pruning = add("prune", "strike off all but the newest sessions", prune);
  add_store(*pruning, *options, "");
  pruning->add_option("--suite", options->measure.suite, "Only this suite")->check(not_empty());
  pruning->add_option("--keep", options->keep, "Sessions to keep per suite")->required();
  return [options, chosen] { return (*chosen)(*options); };
}

}  // namespace perfgate::cli
