// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/options.h"

#include <charconv>
#include <initializer_list>

#include "perfgate/base/error.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"

namespace perfgate::cli {
namespace {

std::optional<double> Fraction(const std::string& text, const char* option) {
  return text.empty() ? std::nullopt : std::optional(parse_fraction(text, option));
}

std::optional<double> Duration(const std::string& text, const char* option) {
  return text.empty() ? std::nullopt : std::optional(parse_duration_s(text, option));
}

std::optional<double> Budget(const std::string& text) {
  constexpr double kAuto = 0;
  if (text == "auto") return kAuto;
  const std::optional<double> budget_s = Duration(text, "--budget");
  if (budget_s && *budget_s <= 0) {
    throw Error(Exit::kUsage, "--budget " + text + " measures nothing; give more, or auto");
  }
  return budget_s;
}

// The value that is written so; none for any other text.
template <typename Enum>
std::optional<Enum> EnumOf(const std::string& text, std::initializer_list<Enum> values) {
  for (const Enum value : values) {
    if (text == to_string(value)) return value;
  }
  return std::nullopt;
}

std::optional<LayoutUse> LayoutsOf(const std::string& text) {
  return EnumOf(text, {LayoutUse::kOff, LayoutUse::kConfirm, LayoutUse::kAlways});
}

std::optional<UnchangedCode> UnchangedCodeOf(const std::string& text) {
  return EnumOf(text, {UnchangedCode::kInconclusive, UnchangedCode::kJudge});
}

std::optional<SecondClock> SecondClockOf(const std::string& text) {
  return EnumOf(text, {SecondClock::kOff, SecondClock::kReport, SecondClock::kJudge});
}

std::optional<Plausibility> PlausibilityOf(const std::string& text) {
  return EnumOf(text, {Plausibility::kOff, Plausibility::kJudge});
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
                 "Wall time for measuring, e.g. 60s or 5min, or auto: what 16 rounds need [" +
                     default_budget + "]")
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
  app.add_option("--count", options.count,
                 "Count beside the time: instructions, cycles, branch_misses, cache_misses, "
                 "peak_rss, allocs_per_iter, max_bytes_used")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(not_empty());
  app.add_option("--layouts", options.layouts,
                 "Of executables linked in several layouts: off, confirm what one link would name, "
                 "or always [confirm; commands other than gate: always]")
      ->check(CLI::IsMember({"off", "confirm", "always"}));
  app.add_option("--unchanged-code", options.unchanged_code,
                 "A case that runs the same code in both and would be named: inconclusive, or "
                 "judge it [inconclusive]")
      ->check(CLI::IsMember({"inconclusive", "judge"}));
  app.add_flag("--reuse-layouts", options.reuse_layouts,
               "Let rounds run a layout again; no claim is then strong");
  app.add_flag("--oversubscribe", options.oversubscribe,
               "Measure threaded cases that have more threads than there are cores");
  app.add_flag(
      "--no-preload", options.no_preload,
      "Run unmodified executables as they are, one process a slice, and preload no worker");
  app.add_flag("--isolate{best}", options.isolate,
               "Start every arm in a sandbox: as far as this machine can, or not at all where "
               "something is lacking (--isolate=require) [no; with --trusted best]")
      ->check(CLI::IsMember({"no", "best", "require"}));
  app.add_option("--isolate-read", options.isolate_read,
                 "File or folder that isolated arms may read; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty());
  app.add_option("--suite-from", options.suite_from,
                 "Full commit id that the benchmarks of both arms were built from, of a revision "
                 "that is trusted; isolates the arms")
      ->check(not_empty());
  AddColorOption(app, options.display);
}

void add_belief_options(CLI::App& app, MeasureOptions& options) {
  app.add_option("--second-clock", options.second_clock,
                 "Wall time that a candidate's report does not explain: judge it, report it as a "
                 "warning, or off [judge]")
      ->check(CLI::IsMember({"judge", "report", "off"}));
  app.add_option("--plausibility", options.plausibility,
                 "Times that no honest benchmark has: judge them, or off [judge]")
      ->check(CLI::IsMember({"judge", "off"}));
  app.add_option("--unchecked-speedup", options.unchecked_speedup,
                 "Largest speed-up of a case whose results are not checked; 0: any [5]");
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
  add_belief_options(app, options);
  app.add_option("--json", options.json, "Write the verdict to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
}

CLI::Option* AddKeyOption(CLI::App& app, std::string& file, const std::string& help) {
  return app.add_option("--key", file, help)->check(not_empty());
}

std::optional<SecretKey> KeyOf(const std::string& file) {
  if (file.empty()) return std::nullopt;
  return ReadKeyFile(file);
}

void add_metrics_option(CLI::App& app, std::string& file) {
  app.add_option("--metrics", file,
                 "File (JSON) of metrics that the result files name and perfgate does not know")
      ->check(not_empty());
}

gate::PolicyRequest PolicyRequestOf(const MeasureOptions& options) {
  return {.file = options.policy_file,
          .overrides = {.tolerance = Fraction(options.tolerance, "--tolerance"),
                        .alpha = Fraction(options.alpha, "--alpha"),
                        .hide_limit = Fraction(options.hide_limit, "--hide-limit"),
                        .budget_s = Budget(options.budget),
                        .slice_s = Duration(options.slice, "--slice"),
                        .rounds = options.rounds,
                        .pairs = options.pairs,
                        .filter = options.filter,
                        .layouts = LayoutsOf(options.layouts),
                        .unchanged_code = UnchangedCodeOf(options.unchanged_code),
                        .reuse_layouts = options.reuse_layouts,
                        .claim_improvements = options.claim_improvements,
                        .allow_oversubscription = options.oversubscribe,
                        .count = options.count,
                        .second_clock = SecondClockOf(options.second_clock),
                        .plausibility = PlausibilityOf(options.plausibility),
                        .unchecked_speedup = options.unchecked_speedup}};
}

void RequireCommitId(const std::string& text) {
  constexpr std::size_t kSha1Digits = 40;
  constexpr std::size_t kSha256Digits = 64;
  const bool hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (hex && (text.size() == kSha1Digits || text.size() == kSha256Digits)) return;
  throw Error(Exit::kUsage, "--suite-from " + text +
                                ": a name can be moved to another commit; give the full commit id "
                                "(git rev-parse " +
                                text + ")");
}

measure::IsolationRequest IsolationOf(const MeasureOptions& options) {
  measure::IsolationRequest request;
  if (options.isolate == "best") request.use = measure::IsolationUse::kBest;
  if (options.isolate == "require") request.use = measure::IsolationUse::kRequire;
  request.read = options.isolate_read;
  request.suite_commit = options.suite_from;
  if (!options.suite_from.empty()) {
    RequireCommitId(options.suite_from);
    if (options.isolate == "no") {
      throw Error(Exit::kUsage,
                  "--suite-from is for candidates that are isolated: drop --isolate=no");
    }
    if (options.isolate.empty()) request.use = measure::IsolationUse::kBest;
  }
  if (request.use == measure::IsolationUse::kNone && !request.read.empty()) {
    throw Error(Exit::kUsage, "--isolate-read belongs to --isolate, which is not given");
  }
  return request;
}

gate::MeasureRequest MeasureRequestOf(const MeasureOptions& options) {
  return {.policy = PolicyRequestOf(options),
          .seed = parse_seed(options.seed),
          .cpus = options.cpus,
          .suite = options.suite,
          .session = options.session,
          .preload = !options.no_preload,
          .isolation = IsolationOf(options)};
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
