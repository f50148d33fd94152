// SPDX-License-Identifier: Apache-2.0
// engine: the command line: parses, runs one subcommand, turns what happened into an exit code.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <sstream>
#include <string>

#include "engine/cli/commands.h"
#include "engine/error.h"

namespace engine::cli {
namespace {

constexpr int kDevice = 69, kInternal = 70;

// For a user, a file that says a thing twice is bad data like any other.
int ExitCodeOf(Exit exit) { return static_cast<int>(exit == Exit::kInvalid ? Exit::kData : exit); }

int RunCommandLine(int argc, char** argv) {
  CLI::App app("A small decoder-only inference engine for Llama and Qwen2 models.", "engine");
  app.require_subcommand(1);
  app.get_formatter()->column_width(38);
  app.footer(
      "Exit codes: 0 done, 64 usage, 65 bad input data, 69 the device failed, 70 internal error.");
  std::map<std::string, Command> commands;
  const auto add = [&](const char* name, const char* help, Command (*adder)(CLI::App&)) {
    CLI::App* const sub = app.add_subcommand(name, help);
    sub->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    commands[name] = adder(*sub);
  };
  add("synth", "write a deterministic model", &AddSynth);
  add("quantize", "write a model with MXFP4 projections", &AddQuantize);
  add("inspect", "check a model folder and say what it holds", &AddInspect);
  add("run", "generate from prompts", &AddRun);
  add("logits", "write the logits of every position", &AddLogits);
  add("serve", "answer completions over HTTP", &AddServe);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help
    std::ostringstream text;
    const int code = app.exit(success, text, text);
    std::fputs(text.str().c_str(), stdout);
    return code;
  } catch (const CLI::ParseError& error) {
    const auto subs = app.get_subcommands();
    const std::string name = subs.empty() ? "" : " " + subs.front()->get_name();
    throw Error(Exit::kUsage, std::string(error.what()) + "\nTry 'engine" + name + " --help'.");
  }
  commands.at(app.get_subcommands().front()->get_name())();
  if (std::fflush(stdout) != 0) {
    throw Error(Exit::kData, "standard output: cannot be written");
  }
  return 0;
}

int Guarded(int argc, char** argv) {
  try {
    return RunCommandLine(argc, argv);
  } catch (const Error& error) {
    std::fprintf(stderr, "engine: %s\n", error.what());
    return ExitCodeOf(error.exit());
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "engine: %s\n", error.what());
    return kDevice;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "engine: internal error: %s\n", error.what());
    return kInternal;
  }
}

}  // namespace
}  // namespace engine::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as an error of the write
  return engine::cli::Guarded(argc, argv);
}
