// SPDX-License-Identifier: Apache-2.0
// Long: one table of the words that lists use, and its readers.
#include "perfgate/published/failure_kind.h"

#include <algorithm>
#include <charconv>

#include "perfgate/published/review/missing_feature.h"

namespace perfgate::published {
namespace {

struct Meaning {
  std::string_view token;
  FailureKind kind;
  Retry retry;
};

using enum FailureKind;

// A crash or an absent number may be chance: once more, as it is. What a patch breaks stays broken.
constexpr Meaning kErrors[] = {
    {"server_crash", kCrash, Retry::kAsIs},
    {"server_crash_startup", kCrash, Retry::kAsIs},
    {"server_crash_after_patch", kCrash, Retry::kNever},
    {"baseline_server_failed", kCrash, Retry::kAsIs},
    {"no_output", kNoMetrics, Retry::kAsIs},
    {"no_metrics", kNoMetrics, Retry::kAsIs},
    {"patch_failed", kBadPatch, Retry::kNever},
    {"patch_corrupts_install", kBadPatch, Retry::kNever},
    {"api_incompatible", kBadConfiguration, Retry::kAfterChange},
    {"module_missing", kBadConfiguration, Retry::kAfterChange},
    {"no_perf_command", kBadConfiguration, Retry::kNever},
    {"pipeline_error", kInfrastructure, Retry::kAsIs},
    {"pipeline_exception", kInfrastructure, Retry::kAsIs},
    {"pipeline_error_old_commit", kInfrastructure, Retry::kAfterChange},
    {"unreadable_record", kInfrastructure, Retry::kAsIs},
    {"unknown_commit", kBadConfiguration, Retry::kAfterChange},
    {"bad_command", kBadConfiguration, Retry::kAfterChange},
    {"benchmark_missing", kBadConfiguration, Retry::kAfterChange},
    {"no_tests_ran", kBadConfiguration, Retry::kAfterChange},
    {"build_failed", kBadPatch, Retry::kNever},
    {"build_timeout", kTimeout, Retry::kAfterChange},
    {"build_out_of_memory", kOutOfMemory, Retry::kOtherHardware},
    {"tests_failed", kBadPatch, Retry::kNever},
    {"tests_timeout", kTimeout, Retry::kAfterChange},
    {"crash", kCrash, Retry::kAsIs},
    {"set_up_failed", kInfrastructure, Retry::kAsIs},
    {"timeout", kTimeout, Retry::kAfterChange},
    {"out_of_memory", kOutOfMemory, Retry::kOtherHardware},
    {"cuda_tma", kIncompatibleHardware, Retry::kOtherHardware},
    {"cuda_incompatible", kIncompatibleHardware, Retry::kOtherHardware},
    {"fp8_incompatible", kIncompatibleHardware, Retry::kOtherHardware},
    {"wrong_hardware", kIncompatibleHardware, Retry::kOtherHardware},
};

constexpr Meaning kCauses[] = {
    {"rocm_only", kIncompatibleHardware, Retry::kOtherHardware},
    {"model_unsupported", kUnsupportedModel, Retry::kNever},
    {"model_too_large", kOutOfMemory, Retry::kOtherHardware},
    {"wheel_build_failed", kInfrastructure, Retry::kAfterChange},
    {"fp8_unsupported_in_baseline", kMissingFeatureInBaseline, Retry::kNever},
    {"fp8_unstable_in_baseline", kMissingFeatureInBaseline, Retry::kNever},
};

// For tokens in no table: the first part that occurs decides.
constexpr Meaning kParts[] = {
    {"in_baseline", kMissingFeatureInBaseline, Retry::kNever},
    {"timeout", kTimeout, Retry::kAfterChange},
    {"timed_out", kTimeout, Retry::kAfterChange},
    {"oom", kOutOfMemory, Retry::kOtherHardware},
    {"memory", kOutOfMemory, Retry::kOtherHardware},
    {"too_large", kOutOfMemory, Retry::kOtherHardware},
    {"patch", kBadPatch, Retry::kNever},
    {"rocm", kIncompatibleHardware, Retry::kOtherHardware},
    {"cuda", kIncompatibleHardware, Retry::kOtherHardware},
    {"gpu", kIncompatibleHardware, Retry::kOtherHardware},
    {"hardware", kIncompatibleHardware, Retry::kOtherHardware},
    {"driver", kIncompatibleHardware, Retry::kOtherHardware},
    {"fp8", kIncompatibleHardware, Retry::kOtherHardware},
    {"model", kUnsupportedModel, Retry::kNever},
    {"pipeline", kInfrastructure, Retry::kAsIs},
    {"network", kInfrastructure, Retry::kAsIs},
    {"download", kInfrastructure, Retry::kAsIs},
    {"docker", kInfrastructure, Retry::kAfterChange},
    {"container", kInfrastructure, Retry::kAfterChange},
    {"build", kInfrastructure, Retry::kAfterChange},
    {"wheel", kInfrastructure, Retry::kAfterChange},
    {"module", kBadConfiguration, Retry::kAfterChange},
    {"import", kBadConfiguration, Retry::kAfterChange},
    {"api", kBadConfiguration, Retry::kAfterChange},
    {"version", kBadConfiguration, Retry::kAfterChange},
    {"config", kBadConfiguration, Retry::kAfterChange},
    {"argument", kBadConfiguration, Retry::kAfterChange},
    {"command", kBadConfiguration, Retry::kAfterChange},
    {"metric", kNoMetrics, Retry::kAsIs},
    {"output", kNoMetrics, Retry::kAsIs},
    {"crash", kCrash, Retry::kAsIs},
    {"segfault", kCrash, Retry::kAsIs},
    {"abort", kCrash, Retry::kAsIs},
    {"server_failed", kCrash, Retry::kAsIs},
};

// Seconds of "timeout_600s"; nothing for another token.
std::optional<int> timeout_limit(std::string_view token) {
  constexpr std::string_view kPrefix = "timeout_";
  if (!token.starts_with(kPrefix) || !token.ends_with('s')) return std::nullopt;
  const std::string_view digits = token.substr(kPrefix.size(), token.size() - kPrefix.size() - 1);
  int seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (error != std::errc() || end != digits.data() + digits.size() || seconds <= 0) {
    return std::nullopt;
  }
  return seconds;
}

template <std::size_t N>
const Meaning* exact(const Meaning (&table)[N], std::string_view token) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const Meaning& m) { return m.token == token; });
  return found == std::end(table) ? nullptr : found;
}

const Meaning* by_part(std::string_view token) {
  const auto* found = std::find_if(std::begin(kParts), std::end(kParts), [&](const Meaning& m) {
    return token.find(m.token) != std::string_view::npos;
  });
  return found == std::end(kParts) ? nullptr : found;
}

template <std::size_t N>
Failure classify(const Meaning (&table)[N], const std::string& token, const std::string& by) {
  Failure failure;
  failure.token = token;
  failure.by = by;
  failure.limit_s = timeout_limit(token);
  const Meaning* meaning = exact(table, failure.limit_s ? "timeout" : token);
  if (meaning == nullptr) {
    failure.guessed = true;
    meaning = by_part(token);
  }
  if (meaning != nullptr) {
    failure.kind = meaning->kind;
    failure.retry = meaning->retry;
  }
  return failure;
}

// Kinds that the code of an arm can cause; the others lie in machine, pipeline or configuration.
bool blames_an_arm(FailureKind kind) {
  return kind == kCrash || kind == kNoMetrics || kind == kTimeout || kind == kOutOfMemory ||
         kind == kBadPatch;
}

AtFault arm_at_fault(FailureKind kind, const std::string& token, const std::string& arm) {
  if (kind == kMissingFeatureInBaseline || token.starts_with("baseline_")) {
    return AtFault::kBaseline;
  }
  if (kind == kUnknown) return AtFault::kUnknown;
  if (!blames_an_arm(kind)) return AtFault::kSetUp;
  for (const Arm known : kAllArms) {
    if (arm == name_of(known)) return static_cast<AtFault>(index_of(known));
  }
  return AtFault::kUnknown;
}

// Whether an error stands between the item and a comparison of agent with human. The baseline's
// does where the run ended before the others.
bool is_in_the_way(const PublishedItem& item, const PublishedError& error) {
  const bool human = HasValue(item, Arm::kHuman);
  const bool agent = HasValue(item, Arm::kAgent);
  if (error.arm == name_of(Arm::kHuman)) return !human;
  if (error.arm == name_of(Arm::kAgent)) return !agent;
  if (error.arm == name_of(Arm::kBaseline)) return !human && !agent;
  return true;
}

Disposition after(Retry retry) {
  switch (retry) {
    case Retry::kNever:
      return Disposition::kDoNotRetry;
    case Retry::kOtherHardware:
      return Disposition::kOtherHardware;
    case Retry::kAfterChange:
      return Disposition::kChangeThenRetry;
    case Retry::kAsIs:
      return Disposition::kRetry;
    case Retry::kUnknown:
      break;
  }
  return Disposition::kInspect;
}

}  // namespace

Failure classify_error(const PublishedError& error, const std::vector<std::string>& introduces) {
  Failure failure = classify(kErrors, error.kind, error.by);
  if (error.arm == name_of(Arm::kBaseline)) {
    if (const auto missing = FindMissingFeature(error.log, introduces)) {
      failure.kind = kMissingFeatureInBaseline;
      failure.retry = Retry::kNever;
      failure.guessed = false;
      failure.feature = missing->name;
    }
  }
  failure.at_fault = arm_at_fault(failure.kind, failure.token, error.arm);
  return failure;
}

bool HasValue(const PublishedItem& item, Arm arm) {
  return std::any_of(item.measurements.begin(), item.measurements.end(), [&](const auto& m) {
    return !m.replaced && m.arms[index_of(arm)].has_value();
  });
}

Failure classify_cause(const std::string& cause, const std::string& by) {
  Failure failure = classify(kCauses, cause, by);
  failure.at_fault = arm_at_fault(failure.kind, failure.token, "");
  if (failure.at_fault == AtFault::kUnknown && failure.kind != kUnknown) {
    failure.at_fault = AtFault::kSetUp;  // said of the machine, not of an arm
  }
  return failure;
}

Failure classify_fault(FaultKind fault) {
  const auto meaning = [&]() -> std::pair<FailureKind, Retry> {
    switch (fault) {
      case FaultKind::kCrashed:
      case FaultKind::kExited:
        return {kCrash, Retry::kAsIs};
      case FaultKind::kTimeout:
        return {kTimeout, Retry::kAfterChange};
      case FaultKind::kBadValue:
      case FaultKind::kNoOutput:
      case FaultKind::kProtocol:
        return {kNoMetrics, Retry::kAsIs};
      case FaultKind::kError:
      case FaultKind::kAbsent:
        return {kNoMetrics, Retry::kNever};
      case FaultKind::kTooManyThreads:
        return {kIncompatibleHardware, Retry::kOtherHardware};
      case FaultKind::kSkipped:
      case FaultKind::kLaunch:
        return {kBadConfiguration, Retry::kAfterChange};
      case FaultKind::kLeftover:
      case FaultKind::kInvalid:
      case FaultKind::kOtherWorkload:
        return {kBadConfiguration, Retry::kNever};
      case FaultKind::kUnmeasured:
        return {kTimeout, Retry::kAfterChange};
    }
    return {kUnknown, Retry::kUnknown};
  }();
  Failure failure;
  failure.token = std::string(to_string(fault));
  failure.kind = meaning.first;
  failure.retry = meaning.second;
  return failure;
}

std::vector<Failure> failures_of(const PublishedItem& item) {
  std::vector<Failure> failures;
  for (const PublishedError& error : item.errors) {
    failures.push_back(classify_error(error, item.introduces));
  }
  for (const PublishedNeed& need : item.needs) {
    if (need.cause) failures.push_back(classify_cause(*need.cause, need.by));
  }
  return failures;
}

std::optional<Failure> DecisiveFailure(const PublishedItem& item, const ItemAnswer& answer) {
  const bool failed = answer.outcome == PointOutcome::kFailed;
  if (answer.evaluable() && !failed) return std::nullopt;
  std::optional<Failure> worst;
  const auto take = [&](Failure failure) {
    if (!worst || failure.retry < worst->retry) worst = std::move(failure);
  };
  for (const PublishedError& error : item.errors) {
    if (is_in_the_way(item, error)) take(classify_error(error, item.introduces));
  }
  if (failed) return worst;
  for (const PublishedNeed& need : item.needs) {
    if (need.cause) take(classify_cause(*need.cause, need.by));
  }
  return worst;
}

Disposition dispose(const PublishedItem& item, const ItemAnswer& answer) {
  const bool failed = answer.outcome == PointOutcome::kFailed;
  if (answer.evaluable() && !failed) return Disposition::kDone;
  const std::optional<Failure> worst = DecisiveFailure(item, answer);
  if (failed) {
    // The human ran, so machine and model are fit; an agent that cannot pass has failed for good.
    if (!worst) return Disposition::kInspect;
    return worst->retry == Retry::kNever ? Disposition::kDone : after(worst->retry);
  }
  if (worst) return after(worst->retry);
  // Values that are there and do not compare: measure them again under one model and mode.
  if (HasValue(item, Arm::kHuman) && HasValue(item, Arm::kAgent)) {
    return Disposition::kChangeThenRetry;
  }
  const bool any_failed = std::any_of(item.status.begin(), item.status.end(),
                                      [](ArmStatus s) { return s == ArmStatus::kFailed; });
  return any_failed ? Disposition::kInspect : Disposition::kNotTried;
}

}  // namespace perfgate::published
