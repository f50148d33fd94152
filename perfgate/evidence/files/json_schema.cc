// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/files/json_schema.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/bisect/bisect_fields.h"
#include "perfgate/evidence/files/alternatives_fields.h"
#include "perfgate/evidence/files/calibration_fields.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/layouts_fields.h"
#include "perfgate/evidence/files/parity_fields.h"
#include "perfgate/evidence/files/plan_fields.h"
#include "perfgate/evidence/files/recorded_fields.h"
#include "perfgate/evidence/files/verdict_fields.h"
#include "perfgate/evidence/fleet/fleet_fields.h"
#include "perfgate/evidence/history/history_fields.h"

namespace perfgate::inline evidence {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
inline constexpr std::string_view kStructName;
template <>
inline constexpr std::string_view kStructName<Metric> = "metric";
template <>
inline constexpr std::string_view kStructName<CaseRule> = "case_rule";
template <>
inline constexpr std::string_view kStructName<Policy> = "policy";
template <>
inline constexpr std::string_view kStructName<Gpu> = "gpu";
template <>
inline constexpr std::string_view kStructName<HotCode> = "hot_code";
template <>
inline constexpr std::string_view kStructName<TrustRecord> = "trust_record";
template <>
inline constexpr std::string_view kStructName<FleetJob> = "fleet_job";
template <>
inline constexpr std::string_view kStructName<MergedPart> = "merged_part";
template <>
inline constexpr std::string_view kStructName<FleetArm> = "fleet_arm";
template <>
inline constexpr std::string_view kStructName<FleetCase> = "fleet_case";
template <>
inline constexpr std::string_view kStructName<HistoryPoint> = "history_point";
template <>
inline constexpr std::string_view kStructName<HistoryChange> = "history_change";
template <>
inline constexpr std::string_view kStructName<HistorySeries> = "history_series";
template <>
inline constexpr std::string_view kStructName<BisectCommit> = "bisect_commit";
template <>
inline constexpr std::string_view kStructName<LayoutStage> = "layout_stage";
template <>
inline constexpr std::string_view kStructName<Layout> = "layout";
template <>
inline constexpr std::string_view kStructName<LinkCommand> = "link_command";
template <>
inline constexpr std::string_view kStructName<RecordedCase> = "recorded_case";
template <>
inline constexpr std::string_view kStructName<Machine> = "machine";
template <>
inline constexpr std::string_view kStructName<RoundConditions> = "round_conditions";
template <>
inline constexpr std::string_view kStructName<BuildInfo> = "build_info";
template <>
inline constexpr std::string_view kStructName<ArmInfo> = "arm_info";
template <>
inline constexpr std::string_view kStructName<NamedValue> = "named_value";
template <>
inline constexpr std::string_view kStructName<Origin> = "origin";
template <>
inline constexpr std::string_view kStructName<DeclaredWork> = "declared_work";
template <>
inline constexpr std::string_view kStructName<CaseInfo> = "case_info";
template <>
inline constexpr std::string_view kStructName<CaseRound> = "case_round";
template <>
inline constexpr std::string_view kStructName<RoundInfo> = "round_info";
template <>
inline constexpr std::string_view kStructName<Fault> = "fault";
template <>
inline constexpr std::string_view kStructName<Schedule> = "schedule";
template <>
inline constexpr std::string_view kStructName<Effect> = "effect";
template <>
inline constexpr std::string_view kStructName<ColumnVerdict> = "column_verdict";
template <>
inline constexpr std::string_view kStructName<CalibratedColumn> = "calibrated_column";
template <>
inline constexpr std::string_view kStructName<LeftOut> = "left_out";
template <>
inline constexpr std::string_view kStructName<PlannedColumn> = "planned_column";
template <>
inline constexpr std::string_view kStructName<ParityPair> = "parity_pair";
template <>
inline constexpr std::string_view kStructName<ParityVerdict> = "parity_verdict";
template <>
inline constexpr std::string_view kStructName<AgentSummary> = "agent_summary";
template <>
inline constexpr std::string_view kStructName<AgentClaim> = "agent_claim";
template <>
inline constexpr std::string_view kStructName<ParityColumn> = "parity_column";

template <>
inline constexpr std::string_view kStructName<SpeedUp> = "speed_up";
template <>
inline constexpr std::string_view kStructName<Standing> = "standing";
template <>
inline constexpr std::string_view kStructName<AlternativePair> = "alternative_pair";
template <>
inline constexpr std::string_view kStructName<AlternativesRow> = "alternatives_row";

// Integral bounds without a fraction, so that a schema reads "1", not "1.0".
Json bound(double value) {
  const double whole = std::nearbyint(value);
  return whole == value ? Json(static_cast<std::int64_t>(whole)) : Json(value);
}

Json number_schema(const FieldRule& rule, bool integer) {
  Json schema = {{"type", integer ? "integer" : "number"}};
  if (std::isfinite(rule.min))
    schema[rule.above ? "exclusiveMinimum" : "minimum"] = bound(rule.min);
  if (std::isfinite(rule.max)) schema["maximum"] = bound(rule.max);
  return schema;
}

Json or_null(Json schema) {
  if (schema.contains("type")) {
    Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    types.push_back("null");
    schema["type"] = std::move(types);
    return schema;
  }
  return {{"anyOf", Json::array({std::move(schema), {{"type", "null"}}})}};
}

class SchemaBuilder {
 public:
  SchemaBuilder(Json& definitions, bool by_hand) : definitions_(definitions), by_hand_(by_hand) {}

  template <class T>
  void operator()(std::string_view name, const T& member, std::string_view meaning,
                  const FieldRule& rule = {}) {
    Json field = schema_of(member, rule);
    field["description"] = meaning;
    properties_[std::string(name)] = std::move(field);
    if (!by_hand_ && !rule.added) required_.push_back(name);
  }

  void add_header(std::string_view format, int version) {
    properties_["format"] = {{"const", format}, {"description", "what the file is"}};
    properties_["version"] = {{"const", version}, {"description", "version of the format"}};
    required_.push_back("format");
    required_.push_back("version");
    properties_["signature"] = {
        {"type", "string"},
        {"description",
         "`hmac-sha256:<hex>` of the JSON without this field, keys sorted, no spaces; only where "
         "`--key` was given"}};
  }

  Json take() {
    Json schema = {{"type", "object"},
                   {"properties", std::move(properties_)},
                   {"required", std::move(required_)},
                   {"additionalProperties", false}};
    if (schema["required"].empty()) schema.erase("required");
    return schema;
  }

 private:
  template <class T>
  Json schema_of(const T& value, const FieldRule& rule) {
    if constexpr (json_io::kIsOptional<T>) {
      return or_null(schema_of(typename T::value_type{}, rule));
    } else if constexpr (json_io::kIsVector<T>) {
      return {{"type", "array"}, {"items", schema_of(typename T::value_type{}, rule)}};
    } else if constexpr (std::same_as<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::same_as<T, Exit>) {
      Json codes = Json::array();
      for (const Exit code : kExitCodes) codes.push_back(static_cast<int>(code));
      return {{"enum", std::move(codes)}};
    } else if constexpr (std::is_enum_v<T>) {
      return {{"enum", kEnumWords<T>.words}};
    } else if constexpr (std::same_as<T, std::string>) {
      Json schema = {{"type", "string"}};
      if (rule.hex > 0) schema["pattern"] = "^[0-9a-f]{" + std::to_string(rule.hex) + "}$";
      return schema;
    } else if constexpr (std::floating_point<T>) {
      Json schema = number_schema(rule, false);
      if (rule.fraction && by_hand_) {
        schema["type"] = Json::array({"number", "string"});
        schema["pattern"] =
            R"(^[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*%?[ \t]*$)";
      }
      return rule.absent ? or_null(std::move(schema)) : schema;
    } else if constexpr (std::integral<T>) {
      return number_schema(std::unsigned_integral<T> ? at_least(0) : rule, true);
    } else {
      return reference_to(value);
    }
  }

  template <class T>
  Json reference_to(const T& value) {
    static_assert(!kStructName<T>.empty(), "the structure needs a name above");
    const std::string name(kStructName<T>);
    if (!definitions_.contains(name)) {
      definitions_[name] = Json();  // keeps the place: containers before what they contain
      SchemaBuilder nested(definitions_, by_hand_);
      describe(nested, value);
      definitions_[name] = nested.take();
    }
    return {{"$ref", "#/$defs/" + name}};
  }

  Json& definitions_;
  bool by_hand_;
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

template <class T>
std::string file_schema() {
  constexpr FileFormat format = kFileFormat<T>;
  Json definitions = Json::object();
  SchemaBuilder builder(definitions, format.author == json_io::Author::kPerson);
  builder.add_header(format.name(), format.version);
  const T value{};
  describe(builder, value);
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", format.name()}};
  schema.update(builder.take());
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace

std::string json_schema(std::string_view format) {
  std::string schema;
  for_each_format([&]<class T>() {
    if (format == kFileFormat<T>.SchemaWord()) schema = file_schema<T>();
  });
  if (schema.empty()) throw std::logic_error("no schema for \"" + std::string(format) + "\"");
  return schema;
}

}  // namespace perfgate::inline evidence
