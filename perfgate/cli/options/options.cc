// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/options.h"

#include <charconv>
#include <cstdio>

#include "perfgate/base/error.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/evidence/files/files.h"

namespace perfgate::cli {
namespace {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

template <typename T>
void override_with(T value, T& field, const char* name, Policy& policy) {
  if (value == field) return;
  if constexpr (std::is_same_v<T, std::string>) {
    policy.overrides.push_back(std::string(name) + " '" + field + "' -> '" + value +
                               "' (command line)");
  } else {
    policy.overrides.push_back(std::string(name) + " " + short_number(static_cast<double>(field)) +
                               " -> " + short_number(static_cast<double>(value)) +
                               " (command line)");
  }
  field = value;
}

}  // namespace

CLI::Validator not_empty() {
  return {[](const std::string& text) { return text.empty() ? "the value is empty" : ""; }, ""};
}

void add_measuring_options(CLI::App& app, MeasureOptions& options,
                           const std::string& default_budget) {
  app.add_option("--policy", options.policy_file, "Policy file (JSON); options override it")
      ->check(not_empty());
  app.add_option("--filter", options.filter,
                 "Only cases whose name matches this regular expression")
      ->check(not_empty());
  app.add_option("--budget", options.budget,
                 "Wall time for measuring, e.g. 60s or 5min [" + default_budget + "]")
      ->check(not_empty());
  app.add_option("--rounds", options.rounds,
                 "End at exactly this many rounds and ignore the budget");
  app.add_option("--slice", options.slice, "Timed length of one slice [10ms]")->check(not_empty());
  app.add_option("--pairs", options.pairs, "Slices per arm, case and round [4]");
  app.add_option("--cpu", options.cpus, "Cores to measure on, e.g. 2 or 2,3 [the quietest]")
      ->delimiter(',');
  app.add_option("--seed", options.seed, "Replay the coins and orders of a recorded seed (hex)")
      ->check(not_empty());
  app.add_option("--suite", options.suite, "Name of the suite, for files and reports")
      ->check(not_empty());
  app.add_option("--session", options.session, "Write the session (raw slices) to this file")
      ->check(not_empty());
  app.add_flag("--oversubscribe", options.oversubscribe,
               "Measure threaded cases that have more threads than there are cores");
  app.add_flag("--color,!--no-color", options.color, "Colour the table");
}

void add_deciding_options(CLI::App& app, MeasureOptions& options) {
  app.add_option("--tolerance", options.tolerance, "Slowdown that is accepted, e.g. 2% [2%]")
      ->check(not_empty());
  app.add_option("--alpha", options.alpha,
                 "Chance of a false regression anywhere in the suite [0.01]")
      ->check(not_empty());
  app.add_option("--hide-limit", options.hide_limit,
                 "Inconclusive cases pass while they can hide no more than this [10%]")
      ->check(not_empty());
  app.add_flag("--claim-improvements", options.claim_improvements,
               "Keep measuring faster cases until the improvement is shown");
  app.add_option("--json", options.json, "Write the verdict to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
}

Policy make_policy(const MeasureOptions& options) { return make_policy(options, Policy{}); }

Policy make_policy(const MeasureOptions& options, Policy defaults) {
  Policy policy =
      options.policy_file.empty() ? std::move(defaults) : read_policy(options.policy_file);
  if (!options.tolerance.empty()) {
    override_with(parse_fraction(options.tolerance, "--tolerance"), policy.tolerance, "tolerance",
                  policy);
  }
  if (!options.alpha.empty()) {
    override_with(parse_fraction(options.alpha, "--alpha"), policy.alpha, "alpha", policy);
  }
  if (!options.hide_limit.empty()) {
    override_with(parse_fraction(options.hide_limit, "--hide-limit"), policy.hide_limit,
                  "hide_limit", policy);
  }
  if (!options.budget.empty()) {
    override_with(parse_duration_s(options.budget, "--budget"), policy.budget_s, "budget_s",
                  policy);
    if (!options.rounds) override_with(0, policy.rounds, "rounds", policy);
  }
  if (!options.slice.empty()) {
    override_with(parse_duration_s(options.slice, "--slice"), policy.slice_s, "slice_s", policy);
  }
  if (options.rounds) {
    if (*options.rounds < 1) throw Error(Exit::kUsage, "--rounds must be at least 1");
    override_with(*options.rounds, policy.rounds, "rounds", policy);
  }
  if (options.pairs) override_with(*options.pairs, policy.pairs, "pairs", policy);
  if (!options.filter.empty()) {
    override_with(options.filter, policy.filter, "filter", policy);
  }
  if (options.claim_improvements) {
    override_with(true, policy.claim_improvements, "claim_improvements", policy);
  }
  if (options.oversubscribe) {
    override_with(true, policy.allow_oversubscription, "allow_oversubscription", policy);
  }
  validate(policy);
  return policy;
}

std::optional<std::uint64_t> parse_seed(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::string_view digits(text);
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed, 16);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
    throw Error(Exit::kUsage, "--seed '" + text + "' is not a number of up to 16 hex digits");
  }
  return seed;
}

}  // namespace perfgate::cli
