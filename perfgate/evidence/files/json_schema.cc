// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/files/json_schema.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/base/json/schema_builder.h"
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

namespace perfgate::inline base {

template <>
inline constexpr std::string_view kSchemaName<Metric> = "metric";
template <>
inline constexpr std::string_view kSchemaName<CaseRule> = "case_rule";
template <>
inline constexpr std::string_view kSchemaName<Policy> = "policy";
template <>
inline constexpr std::string_view kSchemaName<Gpu> = "gpu";
template <>
inline constexpr std::string_view kSchemaName<HotCode> = "hot_code";
template <>
inline constexpr std::string_view kSchemaName<TrustRecord> = "trust_record";
template <>
inline constexpr std::string_view kSchemaName<FleetJob> = "fleet_job";
template <>
inline constexpr std::string_view kSchemaName<MergedPart> = "merged_part";
template <>
inline constexpr std::string_view kSchemaName<FleetArm> = "fleet_arm";
template <>
inline constexpr std::string_view kSchemaName<FleetCase> = "fleet_case";
template <>
inline constexpr std::string_view kSchemaName<HistoryPoint> = "history_point";
template <>
inline constexpr std::string_view kSchemaName<HistoryChange> = "history_change";
template <>
inline constexpr std::string_view kSchemaName<HistorySeries> = "history_series";
template <>
inline constexpr std::string_view kSchemaName<BisectCommit> = "bisect_commit";
template <>
inline constexpr std::string_view kSchemaName<LayoutStage> = "layout_stage";
template <>
inline constexpr std::string_view kSchemaName<Layout> = "layout";
template <>
inline constexpr std::string_view kSchemaName<LinkCommand> = "link_command";
template <>
inline constexpr std::string_view kSchemaName<RecordedCase> = "recorded_case";
template <>
inline constexpr std::string_view kSchemaName<Machine> = "machine";
template <>
inline constexpr std::string_view kSchemaName<RoundConditions> = "round_conditions";
template <>
inline constexpr std::string_view kSchemaName<BuildInfo> = "build_info";
template <>
inline constexpr std::string_view kSchemaName<ArmInfo> = "arm_info";
template <>
inline constexpr std::string_view kSchemaName<NamedValue> = "named_value";
template <>
inline constexpr std::string_view kSchemaName<Origin> = "origin";
template <>
inline constexpr std::string_view kSchemaName<DeclaredWork> = "declared_work";
template <>
inline constexpr std::string_view kSchemaName<CaseInfo> = "case_info";
template <>
inline constexpr std::string_view kSchemaName<CaseRound> = "case_round";
template <>
inline constexpr std::string_view kSchemaName<RoundInfo> = "round_info";
template <>
inline constexpr std::string_view kSchemaName<Fault> = "fault";
template <>
inline constexpr std::string_view kSchemaName<Schedule> = "schedule";
template <>
inline constexpr std::string_view kSchemaName<Effect> = "effect";
template <>
inline constexpr std::string_view kSchemaName<ColumnVerdict> = "column_verdict";
template <>
inline constexpr std::string_view kSchemaName<CalibratedColumn> = "calibrated_column";
template <>
inline constexpr std::string_view kSchemaName<LeftOut> = "left_out";
template <>
inline constexpr std::string_view kSchemaName<PlannedColumn> = "planned_column";
template <>
inline constexpr std::string_view kSchemaName<ParityPair> = "parity_pair";
template <>
inline constexpr std::string_view kSchemaName<ParityVerdict> = "parity_verdict";
template <>
inline constexpr std::string_view kSchemaName<AgentSummary> = "agent_summary";
template <>
inline constexpr std::string_view kSchemaName<AgentClaim> = "agent_claim";
template <>
inline constexpr std::string_view kSchemaName<ParityColumn> = "parity_column";
template <>
inline constexpr std::string_view kSchemaName<SpeedUp> = "speed_up";
template <>
inline constexpr std::string_view kSchemaName<Standing> = "standing";
template <>
inline constexpr std::string_view kSchemaName<AlternativePair> = "alternative_pair";
template <>
inline constexpr std::string_view kSchemaName<AlternativesRow> = "alternatives_row";

}  // namespace perfgate::inline base

namespace perfgate::inline evidence {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
std::string file_schema() {
  constexpr FileFormat format = kFileFormat<T>;
  Json definitions = Json::object();
  SchemaBuilder builder(definitions, format.author == json_io::Author::kPerson);
  builder.add_header(format.name(), format.version);
  builder.add_signature();
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
