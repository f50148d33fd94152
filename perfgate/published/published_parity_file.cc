// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/published/device_need.h"
#include "perfgate/published/published_fields.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::published {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "perfgate-parity-commits/1";
constexpr std::string_view kSynthetic = "perfgate-parity-synthetic/1";

// Values are times, rates and the like: below 0 they were not measured.
double read_size(Fields& fields, std::string_view name) {
  const auto value = fields.read<double>(name);
  if (value < 0) fields.invalid(name, "is below 0, which no time, rate or count can be");
  return value;
}

// Seconds that something took, where the list has them.
std::optional<double> read_duration(Fields& fields) {
  if (!fields.find("duration_s")) return std::nullopt;
  return read_size(fields, "duration_s");
}

constexpr FieldRule kDecimals = between(0, 15);

PublishedValue read_arm(Fields fields) {
  PublishedValue arm;
  arm.value = read_size(fields, "value");
  arm.decimals = fields.read<int>("decimals", kDecimals);
  arm.model = fields.read_if<std::string>("model");
  arm.mode = fields.read_if<std::string>("mode");
  arm.configuration = fields.read_if<std::string>("configuration");
  arm.proxy = fields.read_if<std::string>("proxy");
  arm.duration_s = read_duration(fields);
  return arm;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What everybody knows of these words; others are taken as the file says.
void check_meaning(const PublishedMeasurement& measurement, Fields& fields) {
  if (!measurement.metric || !measurement.better) return;
  const std::string& metric = *measurement.metric;
  const bool rate = has(metric, "throughput");
  const bool time =
      !rate && (metric.starts_with("tpot") || metric.starts_with("ttft") ||
                metric.starts_with("itl") || metric.starts_with("e2el") || has(metric, "latency"));
  if ((rate && *measurement.better == Direction::kLower) ||
      (time && *measurement.better == Direction::kHigher)) {
    fields.invalid("better", "says \"" + std::string(to_string(*measurement.better)) + "\", but " +
                                 metric + " is better " + (rate ? "higher" : "lower"));
  }
  if (!measurement.unit) return;
  const bool in_time = unit_scale(*measurement.unit, "s").has_value();
  if ((rate && in_time) || (time && !in_time && canonical_unit(*measurement.unit))) {
    fields.invalid("unit", "\"" + *measurement.unit + "\" is no unit of " + metric + ", a " +
                               (rate ? "rate" : "time"));
  }
}

PublishedMeasurement read_measurement(Fields fields) {
  PublishedMeasurement m;
  m.source = fields.read<std::string>("source");
  m.shared_run = fields.read<bool>("shared_run");
  m.metric = fields.read<std::optional<std::string>>("metric");
  m.metric_inferred = fields.read_if<bool>("metric_inferred").value_or(false);
  m.unit = fields.read_if<std::string>("unit");
  m.better = fields.read_if<Direction>("better");
  m.output_len = fields.read_if<int>("output_len", at_least(0));
  m.replaced = fields.read_if<std::string>("replaced_by").has_value();
  m.target = fields.read_if<std::string>("target");
  m.duration_s = read_duration(fields);
  fields.find("replaces");  // the other end of replaced_by
  check_meaning(m, fields);

  Fields arms(fields.need("arms"), fields.unknown());
  for (const Arm arm : kAllArms) {
    if (const auto value = arms.find(name_of(arm))) {
      m.arms[index_of(arm)] = read_arm(Fields(*value, fields.unknown()));
      if (arm != Arm::kBaseline && m.arms[index_of(arm)]->proxy) {
        value->at("proxy").invalid("only a baseline can be taken from another run; the " +
                                   std::string(name_of(arm)) + "'s version must be measured");
      }
    }
  }
  return m;
}

SecondaryValues read_secondary(Fields fields) {
  SecondaryValues s;
  s.by = fields.read<std::string>("by");
  s.metric = fields.read_if<std::string>("metric");
  s.decimals = fields.read_if<int>("decimals", kDecimals).value_or(0);
  fields.find("unit");
  fields.find("better");
  for (const Arm arm : kAllArms) {
    s.values[index_of(arm)] = fields.read_if<double>(name_of(arm));
  }
  return s;
}

std::vector<std::string> read_texts(Fields& fields, std::string_view name) {
  const auto list = fields.find(name);
  if (!list) return {};
  return list->list([](const JsonCursor& text) { return text.text(); });
}

PublishedError read_error(Fields fields) {
  PublishedError error;
  error.arm = fields.read<std::string>("arm");
  error.kind = fields.read<std::string>("kind");
  error.by = fields.read_if<std::string>("by").value_or("");
  error.log = read_texts(fields, "log");
  error.duration_s = read_duration(fields);
  return error;
}

PublishedNeed read_need(Fields fields) {
  PublishedNeed need;
  need.by = fields.read<std::string>("by");
  need.gpu = fields.read_if<std::string>("gpu");
  need.count = fields.read_if<int>("count", at_least(0));
  need.count_min = fields.read_if<int>("count_min", at_least(0));
  need.vram_gb = fields.read_if<double>("vram_gb", at_least(0));
  need.size = fields.read_if<std::string>("size");
  need.verdict = fields.read_if<std::string>("verdict");
  need.cause = fields.read_if<std::string>("cause");
  return need;
}

ArmStatus read_status(Fields& fields, Arm arm) {
  const auto word = fields.read<std::string>(name_of(arm));
  const auto* const found = std::find(kArmStatusWords.begin(), kArmStatusWords.end(), word);
  if (found == kArmStatusWords.end()) {
    fields.need(name_of(arm))
        .fail("unknown status \"" + word + "\"; valid: " + Join(kArmStatusWords));
  }
  return static_cast<ArmStatus>(found - kArmStatusWords.begin());
}

template <class T>
std::vector<T> read_each(const JsonCursor& list, std::set<std::string>& unknown,
                         T (*read)(Fields)) {
  std::vector<T> result;
  for (const JsonCursor& element : list.elements()) {
    result.push_back(read(Fields(element, unknown)));
  }
  return result;
}

PublishedItem read_item(Fields fields) {
  PublishedItem item;
  item.id = fields.read<std::string>("id");
  if (item.id.empty()) fields.need("id").fail("the id is empty");
  item.subject = fields.read_if<std::string>("subject");
  item.model = fields.read<std::optional<std::string>>("model");
  item.pipeline_status = fields.read<std::optional<std::string>>("pipeline_status");
  for (const std::string_view known : {"pr", "model_by", "subject_cut", "trap"}) fields.find(known);
  {
    Fields status(fields.need("status"), fields.unknown());
    for (const Arm arm : kAllArms) item.status[index_of(arm)] = read_status(status, arm);
  }
  item.measurements = read_each(fields.need("measurements"), fields.unknown(), read_measurement);
  const JsonCursor verification = fields.need("verification");
  item.verified = verification.json().is_object();
  if (!item.verified && !verification.json().is_null()) verification.refuse("an object or null");
  item.introduces = read_texts(fields, "introduces");
  item.errors = read_each(fields.need("errors"), fields.unknown(), read_error);
  item.needs = read_each(fields.need("gpu_need"), fields.unknown(), read_need);
  if (const auto secondary = fields.find("secondary_values")) {
    item.secondary = read_each(*secondary, fields.unknown(), read_secondary);
  }
  return item;
}

// An arm has a value in a measurement that counts and is said not to be measured, or the reverse.
void note_status(const PublishedItem& item, std::vector<std::string>& warnings) {
  for (const Arm arm : kAllArms) {
    const std::size_t i = index_of(arm);
    const bool valued = std::any_of(
        item.measurements.begin(), item.measurements.end(),
        [i](const PublishedMeasurement& m) { return !m.replaced && m.arms[i].has_value(); });
    const bool measured = item.status[i] == ArmStatus::kMeasured;
    if (valued == measured) continue;
    warnings.push_back(item.id + ": the status of " + std::string(name_of(arm)) + " is \"" +
                       std::string(kArmStatusWords[static_cast<std::size_t>(item.status[i])]) +
                       "\", but it has " + (valued ? "a" : "no") + " value");
  }
}

// A device of a vendor that nobody knows makes a preflight guess.
void note_devices(const PublishedItem& item, std::vector<std::string>& warnings) {
  for (const PublishedNeed& need : item.needs) {
    if (!need.gpu || vendor_of(*need.gpu)) continue;
    warnings.push_back(item.id + ": list " + need.by + " asks for \"" + *need.gpu +
                       "\", whose vendor is not known");
  }
}

void check_format(Fields& fields) {
  const auto format = fields.read<std::string>("format");
  if (format == kFormat || format == kSynthetic) return;
  fields.need("format").fail("unknown format \"" + format + "\"; this perfgate reads \"" +
                             std::string(kFormat) + "\" and \"" + std::string(kSynthetic) + "\"");
}

void check_arms(Fields& fields) {
  const auto arms = fields.find("arms");
  const json expected(kArmNames);
  if (!arms || arms->json() == expected) return;
  arms->fail("expected " + expected.dump() + ", found " +
             arms->json().dump(-1, ' ', true, json::error_handler_t::replace));
}

}  // namespace

PublishedSet published_from_json(std::string_view text, const std::string& where) {
  const json document = parse_strict_json(text, where);
  std::set<std::string> unknown;
  PublishedSet set;
  {
    Fields fields(JsonCursor(document, where), unknown);
    check_format(fields);
    check_arms(fields);
    set.split = fields.read_if<std::string>("split");
    fields.find("expected");  // a synthetic set brings its answers along
    const auto count = fields.read_if<std::int64_t>("n");
    set.items = read_each(fields.need("commits"), unknown, read_item);
    if (count && *count != static_cast<std::int64_t>(set.items.size())) {
      fields.invalid("n", "says " + std::to_string(*count) + ", but there are " +
                              std::to_string(set.items.size()) + " commits");
    }
  }
  UniqueNames ids;
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    ids.add(where, "/commits/" + std::to_string(i) + "/id", set.items[i].id);
    note_status(set.items[i], set.warnings);
    note_devices(set.items[i], set.warnings);
  }
  for (const std::string& name : unknown) {
    set.warnings.push_back("fields named \"" + name + "\" are not read");
  }
  return set;
}

PublishedSet read_published(const std::string& path) {
  return published_from_json(ReadInputFile(path, kResultFile), path);
}

}  // namespace perfgate::published
