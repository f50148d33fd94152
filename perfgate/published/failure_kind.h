// SPDX-License-Identifier: Apache-2.0
// failure_kind.h: why an arm has no result, whose fault that is, and what could change it.
//
// Lists of runs state failures as short tokens ("server_crash_startup"). Each maps to one kind, the
// arm at fault and what a retry can do. From them every item gets exactly one disposition, so the
// counts of dispositions add up to the items.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::published {

enum class FailureKind {
  kCrash,
  kNoMetrics,
  kTimeout,
  kOutOfMemory,
  kIncompatibleHardware,
  kMissingFeatureInBaseline,
  kBadConfiguration,
  kUnsupportedModel,
  kInfrastructure,
  kBadPatch,  // the change does not apply, or breaks the installation
  kUnknown,
};
inline constexpr std::array<std::string_view, 11> kFailureWords = {"crash",
                                                                   "no_metrics",
                                                                   "timeout",
                                                                   "out_of_memory",
                                                                   "incompatible_hardware",
                                                                   "missing_feature_in_baseline",
                                                                   "bad_configuration",
                                                                   "unsupported_model",
                                                                   "infrastructure",
                                                                   "bad_patch",
                                                                   "unknown"};

// kSetUp: the machine, the pipeline or the configuration; no arm is to blame. kUnknown: the list
// speaks of the run as a whole, and any arm may have been it.
enum class AtFault { kBaseline, kHuman, kAgent, kSetUp, kUnknown };
inline constexpr std::array<std::string_view, 5> kAtFaultWords = {"baseline", "human", "agent",
                                                                  "set_up", "unknown"};

// From what helps least to what helps most, where several failures stand in one item's way.
enum class Retry {
  kNever,          // it would fail again
  kOtherHardware,  // elsewhere it may pass
  kAfterChange,    // once the set-up or a limit has been changed
  kAsIs,           // it may have been chance
  kUnknown,
};
inline constexpr std::array<std::string_view, 5> kRetryWords = {"never", "other_hardware",
                                                                "after_change", "as_is", "unknown"};

struct Failure {
  std::string token;
  std::string by;  // the list that says so
  FailureKind kind = FailureKind::kUnknown;
  AtFault at_fault = AtFault::kUnknown;
  Retry retry = Retry::kUnknown;
  std::optional<int> limit_s;               // of a timeout whose token names it
  bool guessed = false;                     // the token is in no table: read by the words in it
  std::optional<std::string> feature = {};  // what the change introduces and the baseline lacks
};

// A baseline whose log misses what the change introduces has kMissingFeatureInBaseline, whatever
// the token says.
Failure classify_error(const PublishedError& error,
                       const std::vector<std::string>& introduces = {});

// A reason for which a list of machines calls an item not verifiable.
Failure classify_cause(const std::string& cause, const std::string& by);

// The same for what went wrong in a measured arm. at_fault is left open: whoever asks knows the
// arm.
Failure classify_fault(FaultKind fault);

// Everything that stood in an item's way, as its lists say.
std::vector<Failure> failures_of(const PublishedItem& item);

// What to do with an item. Every item has exactly one.
enum class Disposition {
  kDone,             // agent and human compare, or the agent failed for good
  kRetry,            // run it again as it is
  kChangeThenRetry,  // change set-up, limit or model first
  kOtherHardware,    // run it elsewhere
  kDoNotRetry,       // no retry can help
  kNotTried,         // nothing failed: it was never run to the end
  kInspect,          // it failed and nobody says why
};
inline constexpr std::array<std::string_view, 7> kDispositionWords = {
    "done", "retry", "change_then_retry", "other_hardware", "do_not_retry", "not_tried", "inspect"};

Disposition dispose(const PublishedItem& item, const ItemAnswer& answer);

// The failure that decides an item's disposition: of those in its way, the first that helps least.
// None where nothing is in its way, and where agent and human compare.
std::optional<Failure> DecisiveFailure(const PublishedItem& item, const ItemAnswer& answer);

// Whether an arm has a value in a measurement that still counts.
bool HasValue(const PublishedItem& item, Arm arm);

constexpr std::string_view word_of(FailureKind v) {
  return kFailureWords[static_cast<std::size_t>(v)];
}
constexpr std::string_view word_of(AtFault v) { return kAtFaultWords[static_cast<std::size_t>(v)]; }
constexpr std::string_view word_of(Retry v) { return kRetryWords[static_cast<std::size_t>(v)]; }
constexpr std::string_view word_of(Disposition v) {
  return kDispositionWords[static_cast<std::size_t>(v)];
}

}  // namespace perfgate::published
