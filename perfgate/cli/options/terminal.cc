// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "perfgate/cli/options/color_choice.h"

namespace perfgate::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;

// Columns of the terminal that standard output is; 0 where it is none.
std::size_t TerminalWidth() {
  if (isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

}  // namespace

void AddColorOption(CLI::App& app, DisplayOptions& options) {
  app.add_flag("--color{always},--no-color{never}", options.color,
               "Colour what is printed: auto (on a terminal, unless NO_COLOR is set), always or "
               "never [auto]")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

void AddDetailOptions(CLI::App& app, DisplayOptions& options) {
  app.add_flag("--all", options.all, "A line for every case, also for those that passed");
  app.add_flag("--verbose", options.verbose,
               "And how it was measured: arms, machine, looks, policy, seed, reasons in full");
}

report::ConsoleOptions ConsoleOptionsOf(const DisplayOptions& options, bool to_file) {
  const std::size_t width = to_file ? 0 : TerminalWidth();
  const ColorEnvironment environment = {std::getenv("NO_COLOR"), std::getenv("CLICOLOR"),
                                        std::getenv("CLICOLOR_FORCE"), std::getenv("TERM")};
  const bool color =
      to_file ? options.color == "always" : UsesColor(options.color, width > 0, environment);
  return {.color = color, .width = width, .all = options.all, .verbose = options.verbose};
}

}  // namespace perfgate::cli
