// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/result_fields.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "perfgate/base/text/join.h"
#include "perfgate/published/studies/study_metrics.h"

namespace perfgate::published {
namespace {

constexpr std::size_t kShortHash = 8;
constexpr std::size_t kLongestName = 100;

// Read by somebody, or of no use for a comparison.
const std::set<std::string, std::less<>>& KnownEverywhere() {
  static const std::set<std::string, std::less<>> known = {"agent_model",
                                                           "agent_name",
                                                           "arm",
                                                           "benchmark_command",
                                                           "benchmark_date",
                                                           "benchmark_mode",
                                                           "benchmark_type",
                                                           "command",
                                                           "commit",
                                                           "commit_full",
                                                           "commit_hash",
                                                           "commit_short",
                                                           "commit_subject",
                                                           "container",
                                                           "data_source",
                                                           "duration",
                                                           "duration_s",
                                                           "elapsed_s",
                                                           "error",
                                                           "error_message",
                                                           "exit_code",
                                                           "files_changed",
                                                           "gpu",
                                                           "gpu_config",
                                                           "gpu_name",
                                                           "has_agent_patch",
                                                           "host",
                                                           "human_commit",
                                                           "human_commit_full",
                                                           "image",
                                                           "instance",
                                                           "metrics",
                                                           "mode",
                                                           "model",
                                                           "model_name",
                                                           "models",
                                                           "output_len",
                                                           "parent_commit",
                                                           "patch_path",
                                                           "perf_command",
                                                           "pr_url",
                                                           "project",
                                                           "raw",
                                                           "raw_output",
                                                           "repo",
                                                           "rerun",
                                                           "result",
                                                           "returncode",
                                                           "role",
                                                           "status",
                                                           "stderr",
                                                           "stdout",
                                                           "subject",
                                                           "test_script",
                                                           "timestamp",
                                                           "variant",
                                                           "version"};
  return known;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool SaysNothing(std::string_view text) {
  const std::string lower = Lower(text);
  return lower.empty() || lower == "unknown" || lower == "n/a" || lower == "none" ||
         lower == "null" || lower == "not specified";
}

struct Pattern {
  std::string_view part;
  std::string_view token;
};
// The first that a message or a status holds. Tokens are those of failure_kind.h.
constexpr std::array<Pattern, 16> kPatterns = {{{"out of memory", "out_of_memory"},
                                                {"outofmemory", "out_of_memory"},
                                                {"oom", "out_of_memory"},
                                                {"timed out", "timeout"},
                                                {"timeout", "timeout"},
                                                {"no module named", "module_missing"},
                                                {"modulenotfound", "module_missing"},
                                                {"importerror", "api_incompatible"},
                                                {"patch", "patch_failed"},
                                                {"no perf_command", "no_perf_command"},
                                                {"no_perf_command", "no_perf_command"},
                                                {"no metrics", "no_metrics"},
                                                {"no output", "no_output"},
                                                {"server", "server_crash"},
                                                {"connection refused", "server_crash"},
                                                {"exception", "pipeline_exception"}}};

// "--random-output-len 1" of a command; nothing where no such option has a whole number.
std::optional<int> LengthInCommand(const std::string& command) {
  constexpr std::string_view kOption = "output-len";
  const std::size_t at = command.find(kOption);
  if (at == std::string::npos) return std::nullopt;
  std::size_t begin = at + kOption.size();
  if (begin < command.size() && (command[begin] == '=' || command[begin] == ' ')) ++begin;
  int length = 0;
  const char* const end = command.data() + command.size();
  const auto [rest, error] = std::from_chars(command.data() + begin, end, length);
  if (error != std::errc() || length < 0 || (rest != end && *rest != ' ')) return std::nullopt;
  return length;
}

}  // namespace

bool IsHash(std::string_view name) {
  return name.size() >= 7 && name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

std::optional<std::string> CommitId(std::string_view name) {
  if (IsHash(name)) return Lower(name.substr(0, kShortHash));
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!plain || name.empty() || name.size() > kLongestName) return std::nullopt;
  return std::string(name);
}

std::optional<std::string> FirstText(const JsonCursor& object,
                                     std::initializer_list<std::string_view> names) {
  std::optional<std::string> found;
  for (const std::string_view name : names) {
    const auto text = object.find(name, &JsonCursor::text);
    if (text && !found && !SaysNothing(*text)) found = *text;
  }
  return found;
}

std::optional<std::string> ModelOf(const JsonCursor& object) {
  return FirstText(object, {"model", "model_name"});
}

std::optional<std::string> ModeOf(const JsonCursor& object) {
  return FirstText(object, {"mode", "benchmark_mode", "benchmark_type"});
}

std::optional<int> OutputLengthOf(const JsonCursor& object) {
  if (const auto length = object.find("output_len")) {
    const std::int64_t count = length->count();
    if (count > 1'000'000'000) length->invalid("is longer than any output");
    return static_cast<int>(count);
  }
  const auto command = FirstText(object, {"benchmark_command", "command", "perf_command"});
  return command ? LengthInCommand(*command) : std::nullopt;
}

bool IsSuccess(std::string_view status) {
  constexpr std::array<std::string_view, 7> kWords = {
      "success", "ok", "completed", "complete", "passed", "measured", "done"};
  return std::find(kWords.begin(), kWords.end(), Lower(status)) != kWords.end();
}

std::string FailureToken(const std::string& status, const std::string& message) {
  for (const std::string& text : {Lower(message), Lower(status)}) {
    for (const Pattern& pattern : kPatterns) {
      if (text.find(pattern.part) != std::string::npos) return std::string(pattern.token);
    }
  }
  return "pipeline_error";
}

void CheckCommit(const JsonCursor& object, const std::string& id) {
  for (const std::string_view name : {"human_commit_full", "human_commit", "commit_full",
                                      "commit_hash", "commit_short", "commit"}) {
    const auto stated = FirstText(object, {name});
    if (!stated || !IsHash(*stated) || !IsHash(id)) continue;
    const std::string other = *CommitId(*stated);
    if (id.starts_with(other) || other.starts_with(id)) continue;
    object.at(name).invalid("is commit " + other + ", but the name of the file says " + id);
  }
}

std::optional<Arm> StatedArm(const JsonCursor& object) {
  std::optional<Arm> found;
  for (const std::string_view name : {"arm", "role", "variant", "version"}) {
    const auto stated = FirstText(object, {name});
    if (!stated) continue;
    for (const Arm arm : kAllArms) {
      if (Lower(*stated) != name_of(arm)) continue;
      if (found && *found != arm) object.at(name).invalid("contradicts another field of the file");
      found = arm;
    }
    if (name == "arm" && !found) object.at(name).fail("expected one of " + Join(kArmNames));
  }
  return found;
}

void CheckArm(const JsonCursor& object, Arm arm) {
  const auto stated = StatedArm(object);
  if (!stated || *stated == arm) return;
  object.invalid("says that it is the arm " + std::string(name_of(*stated)) +
                 ", but stands in the place of " + std::string(name_of(arm)));
}

StudyArm ReadArmObject(const JsonCursor& object, StudyReading& reading) {
  object.require_object();
  StudyArm arm;
  arm.model = ModelOf(object);
  arm.mode = ModeOf(object);
  arm.output_len = OutputLengthOf(object);
  const std::string status = FirstText(object, {"status"}).value_or("");
  const std::string error = FirstText(object, {"error", "error_message"}).value_or("");
  const auto metrics = object.find("metrics");
  if (metrics) {
    AddStudyMetrics(reading.registry, *metrics, arm.metrics, reading.unknown);
  } else {
    for (const auto& [name, value] : object.json().items()) {
      if (!KnownEverywhere().contains(name)) {
        AddStudyMetric(reading.registry, name, object.at(name), arm.metrics);
      }
    }
  }
  const bool skipped = status == "skipped" || status == "not_run";
  if (skipped) {
    arm.state = ArmState::kNotRun;
    arm.reason = error.empty() ? status : error;
  } else if (status.empty() ? arm.metrics.empty() && !error.empty() : !IsSuccess(status)) {
    arm.state = ArmState::kFailed;
    arm.kind = FailureToken(status, error);
    arm.reason = error.empty() ? status : error;
  } else if (!arm.metrics.empty()) {
    arm.state = ArmState::kMeasured;
  } else if (!status.empty() || metrics) {
    arm.state = ArmState::kFailed;
    arm.kind = "no_metrics";
    arm.reason = "it ran and has no metric that perfgate knows";
  } else {
    arm.reason = "neither a status nor a metric";
  }
  if (arm.state != ArmState::kMeasured) arm.metrics.clear();
  return arm;
}

void NoteUnknown(const JsonCursor& object, const std::set<std::string, std::less<>>& known,
                 StudyReading& reading) {
  for (const auto& [name, value] : object.json().items()) {
    if (known.contains(name) || KnownEverywhere().contains(name)) continue;
    if (!IsStudyMetric(reading.registry, name)) reading.unknown.insert(name);
  }
}

}  // namespace perfgate::published
