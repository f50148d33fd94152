// SPDX-License-Identifier: Apache-2.0
// program.h: what the calibration programs share: options, Markdown tables and checks.
//
// A program prints one or more Markdown tables to standard output, each between the lines
//   <!-- table: NAME -->   and   <!-- end of table -->
// so that write_tables.py can put it into docs/statistics.md. With --check it then prints every
// broken promise to standard error and exits 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfgate::calibration {

struct Options {
  std::size_t trials = 0;
  std::size_t threads = 0;  // 0: one per processor
  bool check = false;
};

// Reads --trials N, --threads N and --check; --help and mistakes end the program (0 and 64).
// default_trials is what the published tables use.
Options parse_options(int argc, char** argv, const std::string& what, std::size_t default_trials);

struct Table {
  std::string name;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

void print(const Table& table);

// "%.*f" of a number, locale independent.
std::string fixed(double value, int digits);

// Collects broken promises. finish() prints them and returns the exit code.
class Checks {
 public:
  void expect(bool holds, const std::string& promise);
  int finish(bool wanted) const;

 private:
  std::size_t count_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace perfgate::calibration
