// SPDX-License-Identifier: Apache-2.0
// file_format.h: name and version of each file format, and how all of them are read and written.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/json_writer.h"
#include "perfgate/evidence/alternatives.h"
#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/history/history.h"
#include "perfgate/evidence/layouts.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/evidence/plan.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline evidence {

struct FileFormat {
  std::string_view word;  // "session" of "perfgate-session"
  int version;
  json_io::Author author = json_io::Author::kProgram;
  std::string_view schema_word = {};  // of its schema, where another version has the word; or empty

  std::string_view SchemaWord() const { return schema_word.empty() ? word : schema_word; }
  std::string name() const { return "perfgate-" + std::string(word); }
};

template <class T>
inline constexpr FileFormat kFileFormat = {};
template <>
inline constexpr FileFormat kFileFormat<Session> = {"session", 1};
template <>
inline constexpr FileFormat kFileFormat<SuiteVerdict> = {"verdict", 1};
template <>
inline constexpr FileFormat kFileFormat<ParityVerdict> = {"parity", 1};
// Of several agents. A file of version 1 is one of its verdicts.
template <>
inline constexpr FileFormat kFileFormat<ParityAgents> = {"parity", 2, json_io::Author::kProgram,
                                                         "parity_agents"};
template <>
inline constexpr FileFormat kFileFormat<Policy> = {"policy", 1, json_io::Author::kPerson};
template <>
inline constexpr FileFormat kFileFormat<Calibration> = {"calibration", 1};
template <>
inline constexpr FileFormat kFileFormat<SuitePlan> = {"plan", 1};
template <>
inline constexpr FileFormat kFileFormat<RecordedSession> = {"recorded", 1};
template <>
inline constexpr FileFormat kFileFormat<LayoutSet> = {"layouts", 1};
template <>
inline constexpr FileFormat kFileFormat<AlternativesVerdict> = {"comparison", 1};
template <>
inline constexpr FileFormat kFileFormat<FleetPlan> = {"fleet", 1};
template <>
inline constexpr FileFormat kFileFormat<History> = {"history", 1};
template <>
inline constexpr FileFormat kFileFormat<Bisection> = {"bisection", 1};

// Calls f.operator()<T>() for the value type of every format.
template <class F>
void for_each_format(F f) {
  f.template operator()<Session>();
  f.template operator()<SuiteVerdict>();
  f.template operator()<ParityVerdict>();
  f.template operator()<ParityAgents>();
  f.template operator()<Policy>();
  f.template operator()<Calibration>();
  f.template operator()<SuitePlan>();
  f.template operator()<RecordedSession>();
  f.template operator()<LayoutSet>();
  f.template operator()<AlternativesVerdict>();
  f.template operator()<FleetPlan>();
  f.template operator()<History>();
  f.template operator()<Bisection>();
}

// The fields of T must be described where these are called: files/*_fields.h.
template <class T>
std::string write_format(const T& value) {
  return json_io::write_file_object(value, kFileFormat<T>.name(), kFileFormat<T>.version);
}

template <class T>
T read_format(std::string_view text, const std::string& where) {
  constexpr FileFormat format = kFileFormat<T>;
  return json_io::read_file_object<T>(text, where, format.name(), format.version, format.author);
}

}  // namespace perfgate::inline evidence
