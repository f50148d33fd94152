// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::published {
namespace {

using json_io::json_pointer;
using json_io::Path;
using json_io::refuse;
using json_io::Source;
using nlohmann::json;

constexpr std::string_view kFormat = "perfgate-parity-commits/1";
constexpr std::string_view kSynthetic = "perfgate-parity-synthetic/1";
constexpr std::array<std::string_view, 4> kStatusWords = {"measured", "failed", "not_run",
                                                          "no_record"};

// An object of a foreign list: fields that nothing reads are noted once and let pass, since lists
// grow columns; fields that something needs must be there.
class Fields {
 public:
  Fields(const Source& source, const Path& path, const json& value, std::set<std::string>& unknown)
      : source_(source), path_(path), value_(value), unknown_(unknown) {
    if (!value.is_object()) refuse(source, path, "an object", value);
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields() {
    for (const auto& [name, value] : value_.items()) {
      if (!asked_.contains(name)) unknown_.insert(name);
    }
  }

  // Null where the field is absent or null.
  const json* find(std::string_view name) {
    asked_.insert(std::string(name));
    const auto found = value_.find(name);
    return found == value_.end() || found->is_null() ? nullptr : &*found;
  }

  // The field must be there; it may be null.
  const json& need(std::string_view name) {
    asked_.insert(std::string(name));
    const auto found = value_.find(name);
    if (found == value_.end()) refuse(source_, Path{&path_, name, 0}, "this field is missing");
    return *found;
  }

  const json& need_list(std::string_view name) {
    const json& list = need(name);
    if (!list.is_array()) refuse(source_, Path{&path_, name, 0}, "a list", list);
    return list;
  }

  template <class T>
  T read(std::string_view name, const FieldRule& rule = {}) {
    T result{};
    json_io::read_value(source_, Path{&path_, name, 0}, need(name), result, rule);
    return result;
  }

  template <class T>
  std::optional<T> read_if(std::string_view name, const FieldRule& rule = {}) {
    std::optional<T> result;
    if (const json* value = find(name)) {
      json_io::read_value(source_, Path{&path_, name, 0}, *value, result.emplace(), rule);
    }
    return result;
  }

  [[noreturn]] void invalid(std::string_view name, const std::string& problem) const {
    contradict(source_.where, json_pointer(Path{&path_, name, 0}), problem);
  }

  const Source& source() const { return source_; }
  const Path& path() const { return path_; }
  std::set<std::string>& unknown() const { return unknown_; }

 private:
  const Source& source_;
  const Path& path_;
  const json& value_;
  std::set<std::string>& unknown_;
  std::set<std::string> asked_;
};

// Values are times, rates and the like: below 0 they were not measured.
double read_size(Fields& fields, std::string_view name) {
  const auto value = fields.read<double>(name);
  if (value < 0) fields.invalid(name, "is below 0, which no time, rate or count can be");
  return value;
}

constexpr FieldRule kDecimals = between(0, 15);

PublishedValue read_arm(Fields fields) {
  PublishedValue arm;
  arm.value = read_size(fields, "value");
  arm.decimals = fields.read<int>("decimals", kDecimals);
  arm.model = fields.read_if<std::string>("model");
  arm.mode = fields.read_if<std::string>("mode");
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
  fields.find("target");    // what the change aims at: shown by nobody, decides nothing
  fields.find("replaces");  // the other end of replaced_by
  check_meaning(m, fields);

  const Path arms_path{&fields.path(), "arms", 0};
  Fields arms(fields.source(), arms_path, fields.need("arms"), fields.unknown());
  for (const Arm arm : kAllArms) {
    if (const json* value = arms.find(name_of(arm))) {
      const Path path{&arms_path, name_of(arm), 0};
      m.arms[index_of(arm)] = read_arm(Fields(fields.source(), path, *value, fields.unknown()));
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

PublishedError read_error(Fields fields) {
  return {fields.read<std::string>("arm"), fields.read<std::string>("kind"),
          fields.read_if<std::string>("by").value_or("")};
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
  const auto found = std::find(kStatusWords.begin(), kStatusWords.end(), word);
  if (found == kStatusWords.end()) {
    refuse(fields.source(), Path{&fields.path(), name_of(arm), 0},
           "unknown status \"" + word + "\"; valid: " + join_words(kStatusWords));
  }
  return static_cast<ArmStatus>(found - kStatusWords.begin());
}

template <class T>
std::vector<T> read_each(Fields& fields, std::string_view name, const json* list,
                         T (*read)(Fields)) {
  std::vector<T> result;
  if (list == nullptr) return result;
  const Path path{&fields.path(), name, 0};
  if (!list->is_array()) refuse(fields.source(), path, "a list", *list);
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Path element{&path, {}, i};
    result.push_back(read(Fields(fields.source(), element, (*list)[i], fields.unknown())));
  }
  return result;
}

PublishedItem read_item(Fields fields) {
  PublishedItem item;
  item.id = fields.read<std::string>("id");
  if (item.id.empty()) refuse(fields.source(), Path{&fields.path(), "id", 0}, "the id is empty");
  item.subject = fields.read_if<std::string>("subject");
  item.model = fields.read<std::optional<std::string>>("model");
  item.pipeline_status = fields.read<std::optional<std::string>>("pipeline_status");
  for (const std::string_view known : {"pr", "model_by", "subject_cut", "trap"}) fields.find(known);
  {
    const Path path{&fields.path(), "status", 0};
    Fields status(fields.source(), path, fields.need("status"), fields.unknown());
    for (const Arm arm : kAllArms) item.status[index_of(arm)] = read_status(status, arm);
  }
  item.measurements =
      read_each(fields, "measurements", &fields.need_list("measurements"), read_measurement);
  const json& verification = fields.need("verification");
  if (!verification.is_object() && !verification.is_null()) {
    refuse(fields.source(), Path{&fields.path(), "verification", 0}, "an object or null",
           verification);
  }
  item.verified = verification.is_object();
  item.errors = read_each(fields, "errors", &fields.need_list("errors"), read_error);
  item.needs = read_each(fields, "gpu_need", &fields.need_list("gpu_need"), read_need);
  item.secondary =
      read_each(fields, "secondary_values", fields.find("secondary_values"), read_secondary);
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
                       std::string(kStatusWords[static_cast<std::size_t>(item.status[i])]) +
                       "\", but it has " + (valued ? "a" : "no") + " value");
  }
}

void check_format(Fields& fields) {
  const auto format = fields.read<std::string>("format");
  if (format == kFormat || format == kSynthetic) return;
  refuse(fields.source(), Path{&fields.path(), "format", 0},
         "unknown format \"" + format + "\"; this perfgate reads \"" + std::string(kFormat) +
             "\" and \"" + std::string(kSynthetic) + "\"");
}

void check_arms(Fields& fields) {
  const json* arms = fields.find("arms");
  const json expected(kArmNames);
  if (arms != nullptr && *arms != expected) {
    refuse(fields.source(), Path{&fields.path(), "arms", 0},
           "expected " + expected.dump() + ", found " +
               arms->dump(-1, ' ', true, json::error_handler_t::replace));
  }
}

}  // namespace

PublishedSet published_from_json(std::string_view text, const std::string& where) {
  const json document = parse_strict_json(text, where);
  const Source source{.where = where};
  const Path root;
  std::set<std::string> unknown;
  PublishedSet set;
  {
    Fields fields(source, root, document, unknown);
    check_format(fields);
    check_arms(fields);
    set.split = fields.read_if<std::string>("split");
    fields.find("expected");  // a synthetic set brings its answers along
    const auto count = fields.read_if<std::int64_t>("n");
    set.items = read_each(fields, "commits", &fields.need_list("commits"), read_item);
    if (count && *count != static_cast<std::int64_t>(set.items.size())) {
      fields.invalid("n", "says " + std::to_string(*count) + ", but there are " +
                              std::to_string(set.items.size()) + " commits");
    }
  }
  UniqueNames ids;
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    ids.add(where, "/commits/" + std::to_string(i) + "/id", set.items[i].id);
    note_status(set.items[i], set.warnings);
  }
  for (const std::string& name : unknown) {
    set.warnings.push_back("fields named \"" + name + "\" are not read");
  }
  return set;
}

PublishedSet read_published(const std::string& path) {
  return published_from_json(read_file_text(path), path);
}

}  // namespace perfgate::published
