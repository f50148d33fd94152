// SPDX-License-Identifier: Apache-2.0
// result_fields.h: what the result files of all layouts have in common: states of arms, models,
// modes, errors, ids of commits.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/published/studies/study.h"

namespace perfgate::published {

// What reading a study carries along.
struct StudyReading {
  MetricRegistry registry = MetricRegistry::built_in();
  std::set<std::string> unknown;  // fields that nothing reads
};

// The id of a commit from a file or folder name: the first 8 digits of a hash, in lower case, or
// the whole name where it is none. Nothing for names that cannot be an id.
std::optional<std::string> CommitId(std::string_view name);
bool IsHash(std::string_view name);

// The first of these fields that is there and says something. "unknown" and "N/A" say nothing.
// Refuses another type than text or null.
std::optional<std::string> FirstText(const JsonCursor& object,
                                     std::initializer_list<std::string_view> names);
std::optional<std::string> ModelOf(const JsonCursor& object);
std::optional<std::string> ModeOf(const JsonCursor& object);
// From a field, or from an option of a command.
std::optional<int> OutputLengthOf(const JsonCursor& object);

bool IsSuccess(std::string_view status);

// A short token for a failure, from the words of its status and its message.
std::string FailureToken(const std::string& status, const std::string& message);

// Refuses a file of another commit or another arm than its name says.
void CheckCommit(const JsonCursor& object, const std::string& id);
void CheckArm(const JsonCursor& object, Arm arm);
// The arm that the object names; nothing where it names none.
std::optional<Arm> StatedArm(const JsonCursor& object);

// An object of one arm: status, error, metrics (in "metrics" or beside the rest), model, mode.
StudyArm ReadArmObject(const JsonCursor& object, StudyReading& reading);

// Notes the fields of `object` that are neither listed here, nor known everywhere.
void NoteUnknown(const JsonCursor& object, const std::set<std::string, std::less<>>& known,
                 StudyReading& reading);

}  // namespace perfgate::published
