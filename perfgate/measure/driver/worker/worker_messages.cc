// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_messages.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::measure {
namespace {

const std::string kReply = "reply";

std::int64_t integer_of(const JsonCursor& value, std::int64_t least,
                        std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  return json_io::read_integer(value, at_least(static_cast<double>(least)), least, most);
}

// null stands for a number that is not finite.
double number_or_nan(const JsonCursor& value) {
  return json_io::read_double(value, kAbsent, json_io::Author::kProgram);
}

double amount_of(const JsonCursor& value) {
  return json_io::read_double(value, at_least(0), json_io::Author::kProgram);
}

CaseInfo read_case(const JsonCursor& entry) {
  constexpr int kMostThreads = 1 << 20;
  CaseInfo info;
  info.name = entry.at("name").text();
  info.threads = static_cast<int>(integer_of(entry.at("threads"), 1, kMostThreads));
  info.time = entry.at("time").text();
  if (info.time != "real" && info.time != "cpu" && info.time != "manual") {
    entry.at("time").refuse("real, cpu or manual");
  }
  info.fixed_iterations = integer_of(entry.at("fixed_iterations"), 0);
  if (entry.has("work")) {
    const JsonCursor work = entry.at("work");
    info.work.bytes = amount_of(work.at("bytes"));
    info.work.flops = amount_of(work.at("flops"));
    if (work.has("ceiling")) info.work.ceiling = work.at("ceiling").text();
  }
  if (entry.has("workload")) {
    const JsonCursor workload = entry.at("workload");
    workload.require_object();
    for (const auto& [name, value] : workload.json().items()) {
      info.workload.push_back({name, workload.at(name).text()});
    }
  }
  if (entry.has("checked")) info.checked = entry.at("checked").boolean();
  if (entry.has("result")) info.result = entry.at("result").text();
  return info;
}

Metric read_metric(const JsonCursor& entry) {
  Metric metric;
  metric.name = entry.at("name").text();
  metric.unit = entry.at("unit").text();
  metric.direction = parse_enum<Direction>(entry.at("direction").text());
  metric.kind = parse_enum<Kind>(entry.at("kind").text());
  return metric;
}

bool has_text(const JsonCursor& object, std::string_view key, std::string_view value) {
  return object.has(key) && object.at(key).json() == value;
}

// What a worker says of a case that did not run.
std::optional<FaultKind> fault_of(const JsonCursor& reply) {
  if (has_text(reply, "error", "skipped")) return FaultKind::kSkipped;
  if (has_text(reply, "error", "failed")) return FaultKind::kError;
  if (has_text(reply, "error", "invalid")) return FaultKind::kInvalid;
  return std::nullopt;
}

BuildInfo read_build(const JsonCursor& object) {
  BuildInfo build;
  build.known = true;
  build.compiler = object.at("compiler").text();
  build.optimized = object.at("optimized").boolean();
  build.assertions = object.at("assertions").boolean();
  build.sanitizer = object.at("sanitizer").text();
  // Workers built before this member existed leave it out.
  if (object.has("codegen")) build.codegen = object.at("codegen").text();
  return build;
}

SliceResult read_numbers(const JsonCursor& reply) {
  SliceResult result;
  result.iterations = integer_of(reply.at("iterations"), 1);
  result.real_s = number_or_nan(reply.at("real_s"));
  result.cpu_s = number_or_nan(reply.at("cpu_s"));
  result.total_s = number_or_nan(reply.at("total_s"));
  if (reply.has("ran")) result.ran = integer_of(reply.at("ran"), result.iterations);
  if (reply.has("checked")) result.checked = reply.at("checked").boolean();
  if (reply.has("wall_s")) result.own_wall_s = number_or_nan(reply.at("wall_s"));
  const JsonCursor counters = reply.at("counters");
  counters.require_object();
  for (const auto& [name, value] : counters.json().items()) {
    result.counters.emplace_back(name, number_or_nan(counters.at(name)));
  }
  if (reply.has("calls")) {
    const JsonCursor calls = reply.at("calls");
    calls.require_object();
    for (const auto& [name, text] : calls.json().items()) {
      auto histogram = stats::CallHistogram::FromText(calls.at(name).text());
      if (!histogram) calls.at(name).fail("no record of calls as docs/protocol.md has it");
      result.calls.emplace_back(name, std::move(*histogram));
    }
  }
  RefuseBadTimes(result);
  return result;
}

}  // namespace

bool SpeaksOurProtocol(const Hello& hello) {
  return hello.oldest <= kProtocolVersion && hello.newest >= kOldestProtocolVersion;
}

int SpokenVersion(const Hello& hello) { return std::min(hello.newest, kProtocolVersion); }

Hello ReadHello(const nlohmann::json& message) {
  constexpr int kMostVersion = 1'000'000;
  const JsonCursor line(message, kReply);
  Hello hello;
  hello.newest = static_cast<int>(integer_of(line.at("perfgate"), 1, kMostVersion));
  hello.oldest = static_cast<int>(integer_of(line.at("oldest"), 1, hello.newest));
  if (!SpeaksOurProtocol(hello)) return hello;
  hello.library = line.at("library").text();
  // A preloaded worker does not know how the executable was compiled.
  if (line.has("build")) hello.build = read_build(line.at("build"));
  return hello;
}

Listing ReadListing(const nlohmann::json& message) {
  const JsonCursor reply(message, kReply);
  if (!has_text(reply, "ok", "list")) reply.fail("not an answer to \"list\"");
  Listing listing;
  listing.cases = reply.at("cases").list(read_case);
  listing.metrics = reply.at("metrics").list(read_metric);
  if (listing.metrics.empty() || listing.metrics.front().name != "real_time") {
    reply.at("metrics").fail("the first metric is not real_time");
  }
  return listing;
}

SliceResult ReadSlice(const nlohmann::json& message, std::size_t id, std::int64_t iterations,
                      const std::string& nonce) {
  const JsonCursor reply(message, kReply);
  if (!nonce.empty() && !has_text(reply, "nonce", nonce)) {
    reply.fail("it does not carry the nonce of the request: an answer to another one");
  }
  const JsonCursor answered = reply.at("case");
  if (static_cast<std::size_t>(integer_of(answered, 0)) != id) {
    answered.fail("it answered for case id " + answered.json().dump());
  }
  if (const std::optional<FaultKind> fault = fault_of(reply)) {
    SliceResult result;
    result.fault = fault;
    result.detail = one_line_tail(reply.at("message").text(), kShownBytes);
    return result;
  }
  if (!has_text(reply, "ok", "slice")) reply.fail("not an answer to \"slice\"");
  SliceResult result = read_numbers(reply);
  if (result.iterations != iterations) {
    reply.at("iterations")
        .fail("asked for " + std::to_string(iterations) + " iterations it ran " +
              std::to_string(result.iterations));
  }
  return result;
}

std::optional<std::string> ReadRefusal(const nlohmann::json& message) {
  const JsonCursor reply(message, kReply);
  if (!has_text(reply, "error", "protocol")) return std::nullopt;
  const auto reason = reply.find("message");
  return reason && reason->json().is_string() ? one_line_tail(reason->text(), kShownBytes) : "";
}

}  // namespace perfgate::measure
