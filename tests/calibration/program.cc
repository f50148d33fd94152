// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/program.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iostream>

namespace perfgate::calibration {
namespace {

constexpr int kUsage = 64;

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += " " + cell + " |";
  }
  return line + "\n";
}

}  // namespace

Options parse_options(int argc, char** argv, const std::string& what, std::size_t default_trials) {
  Options options;
  options.trials = default_trials;
  CLI::App app(what);
  app.add_option("--trials", options.trials, "Trials per cell")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads; 0: one per processor");
  app.add_flag("--check", options.check, "Exit 1 where a promise is broken");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : kUsage);
  }
  return options;
}

void print(const Table& table) {
  std::string text = "<!-- table: " + table.name + " -->\n" + row(table.header);
  text += row(std::vector<std::string>(table.header.size(), "---"));
  for (const std::vector<std::string>& cells : table.rows) {
    text += row(cells);
  }
  std::cout << text << "<!-- end of table -->\n" << std::flush;
}

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

void Checks::expect(bool holds, const std::string& promise) {
  ++count_;
  if (!holds) {
    broken_.push_back(promise);
  }
}

int Checks::finish(bool wanted) const {
  if (!wanted) {
    return 0;
  }
  for (const std::string& promise : broken_) {
    std::cerr << "broken: " << promise << "\n";
  }
  std::cerr << count_ - broken_.size() << " of " << count_ << " promises hold\n";
  return broken_.empty() && count_ > 0 ? 0 : 1;
}

}  // namespace perfgate::calibration
