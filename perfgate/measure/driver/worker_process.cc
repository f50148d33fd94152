// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/one_line.h"

namespace perfgate::measure {
namespace {

using nlohmann::json;

// How long a worker that closed its socket may take to end before it counts as still running.
constexpr double kEndS = 2;
constexpr std::size_t kTailBytes = 400;
constexpr std::size_t kQuotedBytes = 120;

SpawnOptions spawn_options(const Launch& launch, int fd) {
  SpawnOptions options;
  options.path = launch.exec_path;
  options.args = {"--perfgate_worker=" + std::to_string(kGivenFd)};
  if (launch.inspect) options.args.emplace_back("--perfgate_inspect");
  options.cpus = launch.cpus;
  options.nice = launch.nice;
  options.give_fd = fd;
  return options;
}

// Error(kData) of a failed start becomes the worker's fault.
template <typename Start>
auto started(const Start& start) {
  try {
    return start();
  } catch (const Error& error) {
    throw WorkerFault{FaultKind::kLaunch, error.what()};
  }
}

// A member of a message that has the wrong type or is missing.
struct Malformed {
  std::string what;
};

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
  metric.direction = parse_direction(text_member(entry, "direction"));
  metric.kind = parse_kind(text_member(entry, "kind"));
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

std::string bad_number(const char* what, double value) {
  return std::string(what) + " is " +
         (std::isfinite(value) ? std::to_string(value) + " s" : "not a finite number") +
         "; a time must be finite and positive";
}

SliceResult read_slice(const json& reply) {
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
  if (!(std::isfinite(result.real_s) && result.real_s > 0)) {
    result.fault = FaultKind::kBadValue;
    result.detail = bad_number("time per iteration", result.real_s);
  } else if (!(std::isfinite(result.total_s) && result.total_s >= 0)) {
    result.fault = FaultKind::kBadValue;
    result.detail = bad_number("total time", result.total_s);
  }
  return result;
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

}  // namespace

WorkerProcess::WorkerProcess(const Executable& executable, const Launch& launch)
    : path_(executable.path),
      channel_(&far_end_),
      child_(started([&] { return ChildProcess(spawn_options(launch, far_end_.get())); })) {
  far_end_.reset();
}

void WorkerProcess::broken(Receipt receipt, double limit_s, const std::string& doing) {
  WorkerFault fault;
  if (receipt == Receipt::kTimeout) {
    fault = {FaultKind::kTimeout, "no answer within " + seconds_text(limit_s) + " " + doing};
  } else if (receipt == Receipt::kTooLong) {
    fault = {FaultKind::kProtocol, "sent a line of more than 64 MiB " + doing};
  } else if (!child_.wait_exit(Deadline::in(kEndS))) {
    fault = {FaultKind::kProtocol, "closed its socket but went on running " + doing};
  } else {
    fault = {child_.status().ok() ? FaultKind::kExited : FaultKind::kCrashed,
             child_.status().text() + " " + doing};
  }
  fault.detail = with_tail(fault.detail, child_.output_tail(kTailBytes));
  throw fault;
}

void WorkerProcess::misspoke(const std::string& what, const std::string& doing) {
  throw WorkerFault{FaultKind::kProtocol, with_tail("wrong answer " + doing + ": " + what,
                                                    child_.output_tail(kTailBytes))};
}

json WorkerProcess::receive(double limit_s, const std::string& doing) {
  std::string line;
  const Receipt receipt = channel_.read_line(&line, child_, Deadline::in(limit_s));
  if (receipt != Receipt::kLine) broken(receipt, limit_s, doing);
  json reply;
  try {
    reply = parse_strict_json(line, "reply");
  } catch (const Error& error) {
    misspoke(std::string(error.what()) + " in \"" +
                 one_line_tail(line.substr(0, kQuotedBytes), kQuotedBytes) + "\"",
             doing);
  }
  if (!reply.is_object()) misspoke("not a JSON object", doing);
  return reply;
}

json WorkerProcess::ask(const json& request, double limit_s, const std::string& doing) {
  if (channel_.has_unread()) misspoke("it wrote without being asked", doing);
  const Deadline deadline = Deadline::in(limit_s);
  const Receipt receipt = channel_.send_line(request.dump(), child_, deadline);
  if (receipt != Receipt::kLine) broken(receipt, limit_s, doing);
  json reply = receive(limit_s, doing);
  if (has_text(reply, "error", "protocol")) {
    const auto message = reply.find("message");
    misspoke("it refused the request" +
                 (message != reply.end() && message->is_string()
                      ? ": " + one_line_tail(message->get<std::string>(), kTailBytes)
                      : std::string()),
             doing);
  }
  return reply;
}

Hello WorkerProcess::hello(double limit_s) {
  const std::string doing = "before it was ready";
  const json line = receive(limit_s, doing);
  Hello hello;
  try {
    constexpr int kMostVersion = 1'000'000;
    hello.newest = static_cast<int>(integer_member(line, "perfgate", 1, kMostVersion));
    hello.oldest = static_cast<int>(integer_member(line, "oldest", 1, hello.newest));
    if (hello.oldest > kProtocolVersion || hello.newest < kOldestProtocolVersion) {
      const auto range = [](int oldest, int newest) {
        return oldest == newest ? std::to_string(newest)
                                : std::to_string(oldest) + " to " + std::to_string(newest);
      };
      throw Error(Exit::kNotComparable,
                  path_ + " speaks worker protocol " + range(hello.oldest, hello.newest) +
                      ", this perfgate " + range(kOldestProtocolVersion, kProtocolVersion) +
                      ": build it against this release of perfgate, or use a perfgate of its own");
    }
    // A newer worker may say more; what this version needs is checked from here on.
    hello.library = text_member(line, "library");
    const json& build = member(line, "build");
    require_object(build);
    hello.build.known = true;
    hello.build.compiler = text_member(build, "compiler");
    hello.build.optimized = flag_member(build, "optimized");
    hello.build.assertions = flag_member(build, "assertions");
    hello.build.sanitizer = text_member(build, "sanitizer");
    // Workers built before this member existed leave it out.
    if (build.contains("codegen")) hello.build.codegen = text_member(build, "codegen");
  } catch (const Malformed& malformed) {
    misspoke(malformed.what, doing);
  }
  return hello;
}

Listing WorkerProcess::list(double limit_s, const std::string& folder) {
  const std::string doing = "while listing its cases";
  json request = {{"do", "list"}};
  if (!folder.empty()) request["folder"] = folder;
  const json reply = ask(request, limit_s, doing);
  Listing listing;
  try {
    if (!has_text(reply, "ok", "list")) throw Malformed{"not an answer to \"list\""};
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
  } catch (const Malformed& malformed) {
    misspoke(malformed.what, doing);
  } catch (const Error& error) {
    misspoke(error.what(), doing);
  }
  return listing;
}

SliceResult WorkerProcess::slice(std::size_t id, const std::string& name,
                                 const SliceRequest& request) {
  const std::string doing = "in case " + name;
  const std::int64_t iterations = std::max<std::int64_t>(1, request.iterations);
  const json reply =
      ask({{"do", "slice"}, {"case", id}, {"iterations", iterations}}, request.limit_s, doing);
  try {
    if (static_cast<std::size_t>(integer_member(reply, "case", 0)) != id) {
      throw Malformed{"it answered for case id " + member(reply, "case").dump()};
    }
    if (const std::optional<FaultKind> fault = fault_of(reply)) {
      SliceResult result;
      result.fault = fault;
      result.detail = one_line_tail(text_member(reply, "message"), kTailBytes);
      return result;
    }
    if (!has_text(reply, "ok", "slice")) throw Malformed{"not an answer to \"slice\""};
    SliceResult result = read_slice(reply);
    if (result.iterations != iterations) {
      throw Malformed{"asked for " + std::to_string(iterations) + " iterations it ran " +
                      std::to_string(result.iterations)};
    }
    return result;
  } catch (const Malformed& malformed) {
    misspoke(malformed.what, doing);
  }
}

std::string WorkerProcess::quit(double limit_s) {
  const Deadline deadline = Deadline::in(limit_s);
  try {
    child_.resume();
    std::string line;
    const bool answered =
        channel_.send_line(R"({"do":"quit"})", child_, deadline) == Receipt::kLine &&
        channel_.read_line(&line, child_, deadline) == Receipt::kLine;
    if (child_.wait_exit(deadline)) {
      if (!child_.status().ok()) {
        return with_tail(child_.status().text() + " when asked to quit",
                         child_.output_tail(kTailBytes));
      }
      return answered ? "" : "ended without answering \"quit\"";
    }
  } catch (const Interrupted&) {
    return "killed because perfgate was interrupted";
  }
  return "did not quit within " + seconds_text(limit_s) + " and was killed";
}

}  // namespace perfgate::measure
