// SPDX-License-Identifier: Apache-2.0
// perfgate baseline: record, show, verify and prune the recorded sessions of the accepted state.
#include <cstdio>
#include <memory>

#include "perfgate/cli/baseline_options.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/gate/recorded/store_folder.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/store/baseline_store.h"
#include "perfgate/verdict/recorded/qualification.h"
#include "perfgate/verdict/recorded/session_rows.h"

namespace perfgate::cli {
namespace {

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

const SecretKey* SignerOf(const std::optional<SecretKey>& key) { return key ? &*key : nullptr; }

Exit show(const BaselineOptions& options) {
  const std::optional<SecretKey> key = KeyOf(options.key);
  const gate::StoreFolder folder(options.store);
  for (const store::SuiteFolder& suite : chosen_suites(options, folder.path())) {
    print(describe(store::read_baseline(suite, SignerOf(key))));
  }
  return Exit::kPass;
}

// Every suite is checked before the first problem ends it.
Exit verify(const BaselineOptions& options) {
  const std::optional<SecretKey> key = KeyOf(options.key);
  const gate::StoreFolder folder(options.store);
  Exit worst = Exit::kPass;
  for (const store::SuiteFolder& suite : chosen_suites(options, folder.path())) {
    const std::string name = suite.machine_class + "/" + suite.suite;
    try {
      const store::Baseline baseline = store::read_baseline(suite, SignerOf(key));
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
  const std::optional<SecretKey> key = KeyOf(options.key);
  const gate::StoreFolder folder(options.store);
  print(gate::BaselineOfMachine(folder, options.measure.suite, measure::probe_machine(),
                                SignerOf(key))
            .folder +
        "\n");
  return Exit::kPass;
}

Exit prune(const BaselineOptions& options) {
  const std::optional<SecretKey> key = KeyOf(options.key);
  for (const store::SuiteFolder& suite : chosen_suites(options, options.store)) {
    const store::Pruned pruned = store::prune(suite, options.keep, SignerOf(key));
    print(suite.machine_class + "/" + suite.suite + ": removed " +
          std::to_string(pruned.removed.size()) + " session(s) and " +
          std::to_string(pruned.leftover.size()) + " leftover file(s)\n");
  }
  return Exit::kPass;
}

}  // namespace

void AddStoreOption(CLI::App& app, BaselineOptions& options, const char* more) {
  app.add_option("--store", options.store,
                 std::string("Folder of the baselines") + more + " [" + options.store + "]")
      ->check(not_empty());
}

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
  AddRecordOptions(*add("record", "measure an executable and add the session", RecordBaseline),
                   *options);
  for (CLI::App* sub : {add("show", "list the sessions and what they can decide", show),
                        add("find", "print the folder of this machine's baseline", find),
                        add("verify", "check schema, digests and chain of every suite", verify)}) {
    AddStoreOption(*sub, *options, ", or git:REV:FOLDER");
    AddKeyOption(*sub, options->key, "File of the key that signed the store");
    sub->add_option("--suite", options->measure.suite, "Only this suite")->check(not_empty());
  }
  CLI::App* pruning = add("prune", "strike off all but the newest sessions", prune);
  AddStoreOption(*pruning, *options, "");
  AddKeyOption(*pruning, options->key, "File of the key that signed the store");
  pruning->add_option("--suite", options->measure.suite, "Only this suite")->check(not_empty());
  pruning->add_option("--keep", options->keep, "Sessions to keep per suite")->required();
  return [options, chosen] { return (*chosen)(*options); };
}

}  // namespace perfgate::cli
