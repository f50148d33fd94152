// SPDX-License-Identifier: Apache-2.0
// The command line: parses, runs one subcommand, turns what happened into an exit code.
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/help/groups.h"
#include "perfgate/cli/options/nearest.h"
#include "perfgate/cli/options/outputs.h"

namespace perfgate::cli {
namespace {

constexpr int kSignalExitBase = 128;

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(sub->get_name());
  }
  return words;
}

// The subcommand whose options were being parsed.
const CLI::App& parsed_app(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : *subs.back();
}

std::string unknown_word(const std::string& word, const CLI::App& app) {
  std::string text = "unknown argument '" + word + "'";
  const std::string nearest = nearest_word(word, known_words(app));
  if (!nearest.empty()) text += "; did you mean '" + nearest + "'?";
  return text;
}

// first: what was typed after the program's name, empty for nothing.
std::string usage_message(const CLI::App& app, const std::string& first,
                          const CLI::ParseError& error) {
  std::string text = error.what();
  const CLI::App& sub = parsed_app(app);
  if (&sub == &app && !first.empty()) {
    text = unknown_word(first, app);
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> left =
        sub.remaining(true).empty() ? app.remaining(true) : sub.remaining(true);
    if (!left.empty()) text = unknown_word(left.front().substr(0, left.front().find('=')), sub);
  }
  const std::string name = sub.get_name() == app.get_name() ? "" : " " + sub.get_name();
  return text + "\nTry 'perfgate" + name + " --help'.";
}

int RunCommandLine(int argc, char** argv) {
  CLI::App app("Decides whether a change made code slower, on noisy machines.", "perfgate");
  app.set_version_flag("--version", "perfgate " PERFGATE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 pass, 10 regression, 11 candidate failed, 12 inconclusive,\n"
      "13 not comparable, 14 invalid evidence, 15 suspected, 64 usage, 65 bad input data,\n"
      "70 internal error, 77 skipped, 128+N ended by signal N.");

  std::map<std::string, Command> commands;
  const auto add = [&](const char* name, const char* help, Command (*adder)(CLI::App&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    commands[name] = adder(*sub);
  };
  add("gate", "measure two executables and judge the second", add_gate);
  add("ci", "gate a change of a repository: find or build its base, build it, judge it", add_ci);
  add("demo", "a red line and a green one in 20 seconds, with executables of its own", add_demo);
  add("compare", "which of several alternatives is the fastest, and by how much", add_compare);
  add("ablate", "which options of one executable are worth their place", add_ablate);
  add("run", "measure executables and record a session", add_run);
  add("calibrate", "measure an executable against itself: noise, false alarms, reach",
      add_calibrate);
  add("plan", "rounds and minutes that a gate on a calibrated suite needs", add_plan);
  add("merge", "the jobs of a suite that was cut by plan --split, as one verdict", add_merge);
  add("baseline", "record, show, verify and prune stored baselines", add_baseline);
  add("history", "trends over recorded sessions, and where they changed", add_history);
  add("bisect", "which commit made a case slower, by a gate per step", add_bisect);
  add("import", "results of other benchmark tools as a session", add_import);
  add("parity", "is an agent's version as fast as a human's?", add_parity);
  add("relink", "link an executable in many random layouts", add_relink);
  add("report", "show recorded files and results of other tools", add_report);
  add("bundle", "a folder with evidence, tables and a script that makes them again", add_bundle);
  add("audit", "recompute published tables; list what does not hold", add_audit);
  add("sign", "sign a policy file with a key", add_sign);
  add("doctor", "is this machine fit to measure?", add_doctor);
  add("help", "help on a command or a topic", add_help);
  add("completion", "completion script for bash, zsh or fish", add_completion);
  add("manual", "man page of a command", add_manual);
  ArrangeHelp(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    std::ostringstream text;
    const int code = app.exit(success, text, text);
    print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    throw Error(Exit::kUsage, usage_message(app, argc > 1 ? argv[1] : "", error));
  }
  return static_cast<int>(commands.at(app.get_subcommands().front()->get_name())());
}

}  // namespace
}  // namespace perfgate::cli

int main(int argc, char** argv) {
  // A reader that goes away shows as an error of the write: the arms are ended in order.
  std::signal(SIGPIPE, SIG_IGN);
  // No program of the same user may look into the gate or attach to it.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  try {
    return perfgate::cli::RunCommandLine(argc, argv);
  } catch (const perfgate::Error& error) {
    std::fprintf(stderr, "perfgate: %s\n", error.what());
    return static_cast<int>(error.exit());
  } catch (const perfgate::Interrupted& interruption) {
    std::fprintf(stderr, "perfgate: %s\n", interruption.what());
    return perfgate::cli::kSignalExitBase + interruption.signal();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "perfgate: internal error: %s\n", error.what());
    return static_cast<int>(perfgate::Exit::kInternal);
  }
}
