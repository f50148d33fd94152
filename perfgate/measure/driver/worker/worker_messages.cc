// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_messages.h"

#include <cmath>
#include <limits>

#include "perfgate/base/text/one_line.h"

namespace perfgate::measure {
namespace {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Malformed{std::string("field \"") + key + "\" is missing"};
  return *found;
}

std::string text_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) throw Malformed{std::string("field \"") + key + "\" is no string"};
  return value.get<std::string>();
}

bool flag_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_boolean()) throw Malformed{std::string("field \"") + key + "\" is no boolean"};
  return value.get<bool>();
}

std::int64_t integer_member(const json& object, const char* key, std::int64_t least,
                            std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  const json& value = member(object, key);
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() &&
                      value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) &&
                    value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  if (!fits) {
    throw Malformed{std::string("field \"") + key + "\" is no whole number from " +
                    std::to_string(least) + " on"};
  }
  return value.get<std::int64_t>();
}

// null stands for a number that is not finite.
double number_or_nan(const json& value, const std::string& key) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) throw Malformed{"field \"" + key + "\" is neither a number nor null"};
  return value.get<double>();
}

double number_member(const json& object, const char* key) {
  return number_or_nan(member(object, key), key);
}

double amount_member(const json& object, const char* key) {
  const double amount = number_member(object, key);
  if (!std::isfinite(amount) || amount < 0) {
    throw Malformed{"field \"" + std::string(key) + "\" is no finite number of at least 0"};
  }
  return amount;
}

CaseInfo read_case(const json& entry) {
  constexpr int kMostThreads = 1 << 20;
  CaseInfo info;
  info.name = text_member(entry, "name");
  info.threads = static_cast<int>(integer_member(entry, "threads", 1, kMostThreads));
  info.time = text_member(entry, "time");
  if (info.time != "real" && info.time != "cpu" && info.time != "manual") {
    throw Malformed{"field \"time\" is none of real, cpu, manual"};
  }
  info.fixed_iterations = integer_member(entry, "fixed_iterations", 0);
  if (const auto work = entry.find("work"); work != entry.end()) {
    if (!work->is_object()) throw Malformed{"field \"work\" is no object"};
    info.work.bytes = amount_member(*work, "bytes");
    info.work.flops = amount_member(*work, "flops");
    if (work->contains("ceiling")) info.work.ceiling = text_member(*work, "ceiling");
  }
  if (const auto workload = entry.find("workload"); workload != entry.end()) {
    if (!workload->is_object()) throw Malformed{"field \"workload\" is no object"};
    for (const auto& [name, value] : workload->items()) {
      info.workload.push_back({name, text_member(*workload, name.c_str())});
    }
  }
  if (entry.contains("result")) info.result = text_member(entry, "result");
  return info;
}

Metric read_metric(const json& entry) {
  Metric metric;
  metric.name = text_member(entry, "name");
  metric.unit = text_member(entry, "unit");
  metric.direction = parse_enum<Direction>(text_member(entry, "direction"));
  metric.kind = parse_enum<Kind>(text_member(entry, "kind"));
  return metric;
}

const json& array_member(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) throw Malformed{std::string("field \"") + key + "\" is no array"};
  return value;
}

void require_object(const json& value) {
  if (!value.is_object()) throw Malformed{"not a JSON object"};
}

bool has_text(const json& object, const char* key, const char* value) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() && *found == value;
}

// What a worker says of a case that did not run.
std::optional<FaultKind> fault_of(const json& reply) {
  if (has_text(reply, "error", "skipped")) return FaultKind::kSkipped;
  if (has_text(reply, "error", "failed")) return FaultKind::kError;
  if (has_text(reply, "error", "invalid")) return FaultKind::kInvalid;
  return std::nullopt;
}

BuildInfo read_build(const json& object) {
  require_object(object);
  BuildInfo build;
  build.known = true;
  build.compiler = text_member(object, "compiler");
  build.optimized = flag_member(object, "optimized");
  build.assertions = flag_member(object, "assertions");
  build.sanitizer = text_member(object, "sanitizer");
  // Workers built before this member existed leave it out.
  if (object.contains("codegen")) build.codegen = text_member(object, "codegen");
  return build;
}

SliceResult read_numbers(const json& reply) {
  SliceResult result;
  result.iterations = integer_member(reply, "iterations", 1);
  result.real_s = number_member(reply, "real_s");
  result.cpu_s = number_member(reply, "cpu_s");
  result.total_s = number_member(reply, "total_s");
  const json& counters = member(reply, "counters");
  require_object(counters);
  for (const auto& [name, value] : counters.items()) {
    result.counters.emplace_back(name, number_or_nan(value, name));
  }
  RefuseBadTimes(result);
  return result;
}

}  // namespace

bool SpeaksOurProtocol(const Hello& hello) {
  return hello.oldest <= kProtocolVersion && hello.newest >= kOldestProtocolVersion;
}

Hello ReadHello(const json& line) {
  constexpr int kMostVersion = 1'000'000;
  Hello hello;
  hello.newest = static_cast<int>(integer_member(line, "perfgate", 1, kMostVersion));
  hello.oldest = static_cast<int>(integer_member(line, "oldest", 1, hello.newest));
  if (!SpeaksOurProtocol(hello)) return hello;
  hello.library = text_member(line, "library");
  hello.build = read_build(member(line, "build"));
  return hello;
}

Listing ReadListing(const json& reply) {
  if (!has_text(reply, "ok", "list")) throw Malformed{"not an answer to \"list\""};
  Listing listing;
  for (const json& entry : array_member(reply, "cases")) {
    require_object(entry);
    listing.cases.push_back(read_case(entry));
  }
  for (const json& entry : array_member(reply, "metrics")) {
    require_object(entry);
    listing.metrics.push_back(read_metric(entry));
  }
  if (listing.metrics.empty() || listing.metrics.front().name != "real_time") {
    throw Malformed{"the first metric is not real_time"};
  }
  return listing;
}

SliceResult ReadSlice(const json& reply, std::size_t id, std::int64_t iterations) {
  if (static_cast<std::size_t>(integer_member(reply, "case", 0)) != id) {
    throw Malformed{"it answered for case id " + member(reply, "case").dump()};
  }
  if (const std::optional<FaultKind> fault = fault_of(reply)) {
    SliceResult result;
    result.fault = fault;
    result.detail = one_line_tail(text_member(reply, "message"), kShownBytes);
    return result;
  }
  if (!has_text(reply, "ok", "slice")) throw Malformed{"not an answer to \"slice\""};
  SliceResult result = read_numbers(reply);
  if (result.iterations != iterations) {
    throw Malformed{"asked for " + std::to_string(iterations) + " iterations it ran " +
                    std::to_string(result.iterations)};
  }
  return result;
}

std::optional<std::string> ReadRefusal(const json& reply) {
  if (!has_text(reply, "error", "protocol")) return std::nullopt;
  const auto message = reply.find("message");
  if (message == reply.end() || !message->is_string()) return "";
  return one_line_tail(message->get<std::string>(), kShownBytes);
}

}  // namespace perfgate::measure
