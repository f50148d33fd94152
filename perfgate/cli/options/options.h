// SPDX-License-Identifier: Apache-2.0
// options.h: the options that the measuring commands share: policy, seed, cores, outputs.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/cli/options/terminal.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::cli {

// Text as typed; empty where the option was not given.
struct MeasureOptions {
  std::string policy_file;
  std::string tolerance;
  std::string alpha;
  std::string budget;
  std::string slice;
  std::string hide_limit;
  std::string filter;
  std::string seed;
  std::string suite;
  std::string layouts;
  std::string unchanged_code;
  std::string json;
  std::string session;
  std::string markdown;
  std::optional<int> rounds;
  std::optional<int> pairs;
  std::vector<int> cpus;
  std::vector<std::string> count;
  bool reuse_layouts = false;
  bool claim_improvements = false;
  bool oversubscribe = false;
  bool no_preload = false;
  DisplayOptions display{};
  std::string isolate;
  std::vector<std::string> isolate_read{};
  std::string suite_from;
  std::string second_clock{};
  std::string plausibility{};
  std::optional<double> unchecked_speedup{};
};

// default_budget: as the help shows it.
void add_measuring_options(CLI::App& app, MeasureOptions& options,
                           const std::string& default_budget = "auto");
// What a report of times is held against: the second clock and what times can be.
void add_belief_options(CLI::App& app, MeasureOptions& options);
void add_deciding_options(CLI::App& app, MeasureOptions& options);

// What was typed, as the library takes it. Error(kUsage) for text that is no such value.
gate::PolicyRequest PolicyRequestOf(const MeasureOptions& options);
gate::MeasureRequest MeasureRequestOf(const MeasureOptions& options);

// --key FILE
CLI::Option* AddKeyOption(CLI::App& app, std::string& file, const std::string& help);

// The key in this file; none for an empty name.
std::optional<SecretKey> KeyOf(const std::string& file);

// --metrics FILE
void add_metrics_option(CLI::App& app, std::string& file);

// Refuses an empty value, as of an unset shell variable, which would pass for an option not given.
CLI::Validator not_empty();

// 16 hex digits, with or without 0x. Error(kUsage).
std::optional<std::uint64_t> parse_seed(const std::string& text);

}  // namespace perfgate::cli
