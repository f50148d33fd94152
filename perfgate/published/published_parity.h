// SPDX-License-Identifier: Apache-2.0
// published_parity.h: single published values of three arms, and what follows from them.
//
// A published item is one change that a baseline, a human's and an agent's version were measured
// for, as a table printed it: one number per arm and metric, no samples. Such numbers can be
// checked for comparability and labelled by the 5 % point rule, which is not evidence; they never
// carry a claim. docs/parity.md has the file format.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::published {

enum class Arm { kBaseline, kHuman, kAgent };
inline constexpr std::size_t kArms = 3;
inline constexpr std::array<Arm, kArms> kAllArms = {Arm::kBaseline, Arm::kHuman, Arm::kAgent};
inline constexpr std::array<std::string_view, kArms> kArmNames = {"baseline", "human", "agent"};

constexpr std::size_t index_of(Arm arm) { return static_cast<std::size_t>(arm); }
constexpr std::string_view name_of(Arm arm) { return kArmNames[index_of(arm)]; }

// State of an arm over all measurements that still count.
enum class ArmStatus { kMeasured, kFailed, kNotRun, kNoRecord };
inline constexpr std::array<std::string_view, 4> kArmStatusWords = {"measured", "failed", "not_run",
                                                                    "no_record"};

// A number and how many decimals of it were printed: the true value lies within half a unit of the
// last one.
struct PublishedValue {
  double value = 0;
  int decimals = 0;
  std::optional<std::string> model;               // absent: not stated
  std::optional<std::string> mode;                // "serving", "standalone"; absent: not stated
  std::optional<std::string> configuration = {};  // the command or its settings
  std::optional<std::string> proxy = {};  // of a baseline: the run or commit it is taken from
  std::optional<double> duration_s = {};  // of measuring this arm
};

// One source and metric.
struct PublishedMeasurement {
  std::string source;
  bool shared_run = false;            // every arm in one job: model, configuration and host agree
  std::optional<std::string> metric;  // absent: not stated, so not usable
  bool metric_inferred = false;       // the list does not name it
  std::optional<std::string> unit;
  std::optional<Direction> better;
  std::optional<int> output_len;
  bool replaced = false;              // a rerun took its place
  std::optional<std::string> target;  // the metric that the change aims at
  std::optional<double> duration_s;   // of measuring all its arms
  std::array<std::optional<PublishedValue>, kArms> arms;
};

// What another list prints for the same item.
struct SecondaryValues {
  std::string by;
  std::optional<std::string> metric;
  int decimals = 0;
  std::array<std::optional<double>, kArms> values;
};

struct PublishedError {
  std::string arm;                    // "baseline", "human", "agent", or "run" for the whole of it
  std::string kind;                   // a token of the list, see published/failure_kind.h
  std::string by;                     // the list that says so
  std::vector<std::string> log = {};  // telling lines of the build or the run
  std::optional<double> duration_s = {};  // until it failed
};

// One list's statement of the devices that an item needs.
struct PublishedNeed {
  std::string by;
  std::optional<std::string> gpu;
  std::optional<int> count;
  std::optional<int> count_min;
  std::optional<double> vram_gb;  // of all devices together
  std::optional<std::string> size;
  std::optional<std::string> verdict;
  std::optional<std::string> cause;
};

struct PublishedItem {
  std::string id;
  std::optional<std::string> subject;
  std::optional<std::string> model;
  std::optional<std::string> pipeline_status;
  std::array<ArmStatus, kArms> status = {};
  std::vector<PublishedMeasurement> measurements;
  bool verified = false;  // a build check has a number; it is nobody's measurement
  std::vector<PublishedError> errors;
  std::vector<std::string> introduces;  // flags, modules and symbols that the change adds
  std::vector<PublishedNeed> needs;
  std::vector<SecondaryValues> secondary;
};

struct PublishedSet {
  std::optional<std::string> split;
  std::vector<PublishedItem> items;
  std::vector<std::string> warnings;  // fields that nothing reads, statements that disagree
};

// "perfgate-parity-commits/1", or "perfgate-parity-synthetic/1", whose answers are ignored.
// Error(kData) with the JSON pointer for what cannot be read, Error(kInvalid) for what can be read
// and not be believed: duplicate keys or ids, a count that is not the list's length, a negative
// value, a throughput of which less is better.
PublishedSet published_from_json(std::string_view text, const std::string& where);
PublishedSet read_published(const std::string& path);

// ---- What follows, as a file of answers has it. Percentages are positive where the second arm is
// better, in per cent of the first, rounded to 2 decimals.

enum class Pair { kBaselineHuman, kBaselineAgent, kHumanAgent };
inline constexpr std::size_t kPairs = 3;
inline constexpr std::array<std::string_view, kPairs> kPairNames = {
    "baseline_human", "baseline_agent", "human_agent"};

struct PairAnswer {
  bool comparable = false;
  std::vector<std::string> reasons;
  std::vector<std::string> caveats;
  std::optional<double> delta_pct;
  std::optional<std::array<double, 2>> range_pct;  // inside operand rounding
};

struct PrimaryMetric {
  std::string source;
  std::string metric;
  std::string why;
};

// The point rule's label of agent against human.
enum class PointOutcome { kWin, kMatch, kLoss, kFailed, kNone };

// What the data of an item allow. Every item has exactly one.
enum class ItemClass {
  kThreeWay,
  kBaselineMismatch,
  kHumanAgentOnly,
  kAgentFailed,
  kTwoArmsNoVerdict,
  kSingleArm,
  kVerificationOnly,
  kNoData,
};

enum class HumanEffect { kGain, kNone, kLoss, kUnknown };

struct MetricAnswer {
  std::string metric;
  double delta_pct = 0;
  PointOutcome outcome = PointOutcome::kNone;
};

struct CrossSource {
  std::string by;
  Arm arm = Arm::kBaseline;
  std::string finding;
};

struct ItemAnswer {
  std::string id;
  ItemClass item_class = ItemClass::kNoData;
  std::optional<PrimaryMetric> primary;
  std::array<PairAnswer, kPairs> pairs;
  PointOutcome outcome = PointOutcome::kNone;
  std::optional<bool> outcome_stable;
  HumanEffect human_effect = HumanEffect::kUnknown;
  std::optional<bool> match_vacuous;
  std::vector<MetricAnswer> by_metric;  // empty unless several metrics compare
  std::vector<CrossSource> cross_source;

  bool evaluable() const { return outcome != PointOutcome::kNone; }
  // Metrics whose label is not the primary one's.
  std::vector<std::string> conflict() const;
};

struct AnswerSet {
  std::optional<std::string> split;
  double threshold_pct = 5;
  std::vector<ItemAnswer> items;
};

inline constexpr std::array<std::string_view, 5> kOutcomeWords = {"win", "match", "loss", "failed",
                                                                  "none"};
inline constexpr std::array<std::string_view, 8> kClassWords = {
    "three_way",           "baseline_mismatch", "human_agent_only",  "agent_failed",
    "two_arms_no_verdict", "single_arm",        "verification_only", "no_data"};
inline constexpr std::array<std::string_view, 4> kEffectWords = {"gain", "none", "loss", "unknown"};

constexpr std::string_view word_of(PointOutcome v) {
  return kOutcomeWords[static_cast<std::size_t>(v)];
}
constexpr std::string_view word_of(ItemClass v) { return kClassWords[static_cast<std::size_t>(v)]; }
constexpr std::string_view word_of(HumanEffect v) {
  return kEffectWords[static_cast<std::size_t>(v)];
}

// "perfgate-parity-expected/1", lines of at most 140 columns where a value can be broken.
std::string answers_to_json(const AnswerSet& answers);

}  // namespace perfgate::published
