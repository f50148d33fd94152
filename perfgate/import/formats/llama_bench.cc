// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/llama_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

using nlohmann::json;

// Results, and what differs between two equal runs. `model_filename` is a path: two machines have
// the same model in different places, and different models in the same one.
constexpr std::string_view kNotIdentity[] = {
    "avg_ns",       "stddev_ns",    "avg_ts",        "stddev_ts", "samples_ns",
    "samples_ts",   "test_time",    "cpu_info",      "gpu_info",  "backends",
    "build_commit", "build_number", "model_filename"};

constexpr std::string_view kMachineFields[] = {"cpu_info", "gpu_info", "backends"};

// One test.
struct Row {
  Located located;
  std::int64_t prompt = 0;
  std::int64_t generated = 0;
  std::string test;  // "pp512", "tg128", "pp512+tg128", "pp512@d4096"
  Fields identity;
};

Row read_row(Located located) {
  Row row;
  const JsonCursor fields = located.cursor();
  row.prompt = fields.at("n_prompt", "expected a row of llama-bench").count();
  row.generated = fields.at("n_gen", "expected a row of llama-bench").count();
  if (row.prompt > 0) row.test = "pp" + std::to_string(row.prompt);
  if (row.generated > 0) {
    row.test += (row.test.empty() ? "tg" : "+tg") + std::to_string(row.generated);
  }
  if (row.test.empty()) {
    throw Error(Exit::kInvalid, located.where + ": n_prompt and n_gen are both 0: nothing was run");
  }
  if (const auto depth = fields.find("n_depth", &JsonCursor::count); depth && *depth > 0) {
    row.test += "@d" + std::to_string(*depth);
  }
  for (const auto& [key, value] : located.value.items()) {
    if (std::find(std::begin(kNotIdentity), std::end(kNotIdentity), key) !=
        std::end(kNotIdentity)) {
      continue;
    }
    // Devices and tensor splits are lists in some versions.
    const auto text = scalar_text(value);
    row.identity.emplace(key,
                         text ? *text : value.dump(-1, ' ', true, json::error_handler_t::replace));
  }
  row.located = std::move(located);
  return row;
}

// Tests of one shape may differ in anything; what differs within the file goes into their names.
std::vector<std::string> case_names(const std::vector<Row>& rows) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;
  for (const Row& row : rows) {
    for (const auto& [key, value] : row.identity) values[row.test][key].insert(value);
  }
  std::vector<std::string> names;
  for (const Row& row : rows) {
    std::string name = row.test;
    for (const auto& [key, value] : row.identity) {
      if (values[row.test][key].size() > 1) name += fmt::format("/{}:{}", key, value);
    }
    names.push_back(std::move(name));
  }
  return names;
}

// Rates from the times; checks the file's own.
std::vector<double> checked_rates(const Row& row, const std::vector<std::int64_t>& times_ns) {
  const auto tokens = static_cast<double>(row.prompt + row.generated);
  std::vector<double> rates;
  for (const std::int64_t ns : times_ns) {
    if (ns > 0) rates.push_back(1e9 * tokens / static_cast<double>(ns));
  }
  if (rates.size() != times_ns.size()) return {};
  const auto printed = row.located.cursor().find("samples_ts", &JsonCursor::numbers);
  if (!printed) return rates;
  if (printed->size() != rates.size()) {
    throw Error(Exit::kInvalid, row.located.where + ": /samples_ts has " +
                                    std::to_string(printed->size()) + " elements and /samples_ns " +
                                    std::to_string(rates.size()));
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    // Six digits: at most half a unit in the sixth.
    if (std::isfinite((*printed)[i])) {
      check_summary(row.located.where, "/samples_ts/" + std::to_string(i), (*printed)[i], rates[i],
                    5.1e-6 * rates[i]);
    }
  }
  return rates;
}

class Writer {
 public:
  Writer(Document* document, const Row& row, std::string case_name)
      : document_(document), row_(row), case_name_(std::move(case_name)) {}

  void sample(const char* metric, int order, double value) {
    Record record = blank(metric);
    record.order = order;
    append_value(*document_, std::move(record), value);
  }

  // informational: beside samples of the time that it follows from.
  void aggregate(const char* metric, const char* statistic, double value, bool informational) {
    Record record = blank(metric);
    record.informational = informational;
    record.kind = RecordKind::kAggregate;
    record.statistic = statistic;
    append_value(*document_, std::move(record), value);
  }

  void missing(const char* metric, const std::string& why) {
    Record record = blank(metric);
    record.status = Status::kMissing;
    record.detail = why;
    document_->records.push_back(std::move(record));
  }

 private:
  Record blank(const char* metric) const {
    Record record;
    record.case_name = case_name_;
    record.metric = registry_.resolve(metric)->metric;
    record.row = row_.located.row;
    return record;
  }

  Document* document_;
  const Row& row_;
  std::string case_name_;
  MetricRegistry registry_ = MetricRegistry::built_in();
};

// `next_order`: of the case, as rows of one case continue each other.
void add_row(const Row& row, const std::string& case_name, int* next_order, Document* document) {
  Writer writer(document, row, case_name);
  const Located& located = row.located;
  const JsonCursor fields = located.cursor();
  const auto times_ns = fields.find("samples_ns", &JsonCursor::counts);
  if (!times_ns) {
    document->warnings.push_back(located.where + ": no samples_ns, only aggregates");
  } else if (times_ns->empty()) {
    writer.missing("time", "samples_ns is empty");
  } else {
    for (const std::int64_t ns : *times_ns) {
      writer.sample("time", (*next_order)++, static_cast<double>(ns) * 1e-9);
    }
  }
  const bool sampled = times_ns.has_value() && !times_ns->empty();
  std::vector<double> times, rates;
  if (times_ns) {
    times.assign(times_ns->begin(), times_ns->end());
    rates = checked_rates(row, *times_ns);
  }
  if (const auto mean = fields.find("avg_ns", &JsonCursor::number)) {
    // An integer division.
    if (const auto expected = recomputed("mean", times); expected && std::isfinite(*mean)) {
      check_summary(located.where, "/avg_ns", *mean, *expected, 1.0);
    }
    writer.aggregate("time", "mean", *mean * 1e-9, sampled);
  }
  if (const auto spread = fields.find("stddev_ns", &JsonCursor::number)) {
    writer.aggregate("time", "stddev", *spread * 1e-9, true);
  }
  if (const auto mean = fields.find("avg_ts", &JsonCursor::number)) {
    // A mean of rates, which is not tokens over the mean time.
    if (const auto expected = recomputed("mean", rates); expected && std::isfinite(*mean)) {
      check_summary(located.where, "/avg_ts", *mean, *expected);
    }
    writer.aggregate("throughput", "mean", *mean, sampled);
  }
  if (const auto spread = fields.find("stddev_ts", &JsonCursor::number)) {
    writer.aggregate("throughput", "stddev", *spread, true);
  }
}

std::vector<Row> read_rows(std::string_view bytes, const std::string& name) {
  std::vector<Row> rows;
  for (Located& document : read_documents(bytes, name)) {
    if (!document.value.is_array()) {
      document.row = rows.size() + 1;
      rows.push_back(read_row(std::move(document)));
      continue;
    }
    for (std::size_t i = 0; i < document.value.size(); ++i) {
      rows.push_back(read_row(Located{std::move(document.value[i]),
                                      name + ": /" + std::to_string(i), rows.size() + 1}));
    }
  }
  return rows;
}

bool is_open_list(std::string_view bytes) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = bytes.find_first_not_of(kBlank);
  const auto last = bytes.find_last_not_of(kBlank);
  return first != std::string_view::npos && bytes[first] == '[' && bytes[last] != ']';
}

}  // namespace

bool looks_like_llama_bench(const json& first) {
  const json& row = first.is_array() && !first.empty() ? first[0] : first;
  return row.is_object() && row.contains("build_commit") && row.contains("n_prompt") &&
         row.contains("n_gen");
}

Document read_llama_bench(std::string_view bytes, const std::string& name) {
  if (is_open_list(bytes)) {
    throw Error(Exit::kData,
                name +
                    ": the list is not closed: llama-bench writes the ] at its end, so "
                    "it crashed or was stopped before; run it again");
  }
  Document document = new_document("llama_bench", name, bytes);
  const std::vector<Row> rows = read_rows(bytes, name);
  if (rows.empty()) {
    throw Error(Exit::kInvalid, name + ": an empty list: llama-bench ran no test");
  }
  const std::vector<std::string> names = case_names(rows);
  Fields build;
  std::map<std::string, int> orders;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Located& located = rows[i].located;
    const auto keep = [&](Fields* fields, std::string_view key) {
      if (const auto text = scalar_at(located.cursor(), key)) {
        add_field(fields, std::string(key), *text, located.where);
      }
    };
    for (const std::string_view key : kMachineFields) keep(&document.environment, key);
    // The build is the arm: a file has one.
    keep(&build, "build_commit");
    keep(&build, "build_number");
    document.workload.emplace(names[i], rows[i].identity);
    add_row(rows[i], names[i], &orders[names[i]], &document);
  }
  drop_backed_aggregates(&document);
  document.commit = build["build_commit"];
  document.recorded = rows[0].located.cursor().find("test_time", &JsonCursor::text).value_or("");
  document.version = build["build_number"];
  return document;
}

}  // namespace perfgate::import
