// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/worker.h"

#include <benchmark/benchmark.h>
#include <errno.h>
#include <unistd.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/recorder.h"
#include "perfgate/bench/run_folder.h"
#include "perfgate/bench/work.h"
#include "perfgate/bench/worker/channel.h"
#include "perfgate/bench/worker/checked.h"
#include "perfgate/bench/worker/iteration_control.h"
#include "perfgate/bench/worker/slice.h"

namespace perfgate::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kNewestProtocol = 2;
constexpr int kOldestProtocol = 1;

// build: none where it is not known.
Json Hello(const BuildDescription* build) {
  Json hello = {{"perfgate", kNewestProtocol},
                {"oldest", kOldestProtocol},
                {"library", PERFGATE_BENCHMARK_VERSION}};
  if (build != nullptr) {
    hello["build"] = {{"compiler", build->compiler},
                      {"optimized", build->optimized},
                      {"assertions", build->assertions},
                      {"sanitizer", build->sanitizer},
                      {"codegen", build->codegen}};
  }
  return hello;
}

Json ProtocolError(const std::string& message) {
  return {{"error", "protocol"}, {"message", message}};
}

// The first case whose listed name is `name` or continues it.
std::string ListedName(const std::vector<Case>& cases, const std::string& name) {
  for (const Case& c : cases) {
    const bool continues = c.name.size() > name.size() && c.name[name.size()] == '/';
    if (c.name.compare(0, name.size(), name) == 0 && (continues || c.name.size() == name.size())) {
      return c.name;
    }
  }
  return name;
}

// The list is made once and repeated, so that a case never changes while the process lives.
Json List(const std::vector<Case>& cases) {
  Json listed = Json::array();
  for (const Case& c : cases) {
    const bool any = c.iterations_per_run == 0 && c.repetitions == 1;
    Json entry = {{"name", VisibleText(c.name)},
                  {"threads", c.threads},
                  {"time", c.clock},
                  {"fixed_iterations", any ? 0 : c.Step()}};
    if (const Work* work = FindWork(c.name); work != nullptr) {
      entry["work"] = {{"bytes", work->bytes}, {"flops", work->flops}};
      if (!work->ceiling.empty()) {
        entry["work"]["ceiling"] = VisibleText(ListedName(cases, work->ceiling));
      }
      for (const auto& [field, value] : work->workload) {
        entry["workload"][VisibleText(field)] = VisibleText(value);
      }
      if (!work->result.empty()) entry["result"] = VisibleText(work->result);
    }
    listed.push_back(std::move(entry));
  }
  Json metrics = Json::array();
  for (const Metric& metric : DeclaredMetrics()) {
    metrics.push_back({{"name", metric.name},
                       {"unit", metric.unit},
                       {"direction", Word(metric.direction)},
                       {"kind", Word(metric.kind)}});
  }
  return {{"ok", "list"}, {"cases", std::move(listed)}, {"metrics", std::move(metrics)}};
}

// The integer member `key` if it fits, else least - 1.
std::int64_t Whole(const Json& request, const char* key, std::int64_t least) {
  const auto at = request.find(key);
  if (at == request.end() || !at->is_number_integer()) return least - 1;
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > INT64_MAX) return least - 1;
  return at->get<std::int64_t>();
}

const char* Word(SliceResult::Outcome outcome) {
  switch (outcome) {
    case SliceResult::Outcome::kSkipped:
      return "skipped";
    case SliceResult::Outcome::kInvalid:
      return "invalid";
    default:
      return "failed";
  }
}

// From version 2 on a request carries a number that the answer repeats.
Json WithNonce(const Json& request, Json reply) {
  const auto nonce = request.find("nonce");
  if (nonce != request.end() && nonce->is_string()) reply["nonce"] = nonce->get<std::string>();
  return reply;
}

Json Slice(const Json& request, std::vector<Case>& cases) {
  const std::int64_t id = Whole(request, "case", 0);
  if (id < 0 || id >= static_cast<std::int64_t>(cases.size())) {
    return ProtocolError("slice: `case` must be an index below " + std::to_string(cases.size()) +
                         " of the list.");
  }
  Case& c = cases[static_cast<std::size_t>(id)];
  const std::int64_t iterations = Whole(request, "iterations", 1);
  if (iterations < 1 || iterations % c.Step() != 0) {
    return ProtocolError("slice: `iterations` must be a positive multiple of " +
                         std::to_string(c.Step()) + " for this case.");
  }
  BeginCalls();
  TakeChecked();
  const SliceResult result = RunSlice(c, iterations);
  if (result.outcome != SliceResult::Outcome::kOk) {
    return {
        {"error", Word(result.outcome)}, {"case", id}, {"message", VisibleText(result.message)}};
  }
  Json counters = Json::object();
  for (const auto& [name, value] : result.counters) counters[VisibleText(name)] = value;
  Json reply = {{"ok", "slice"},
                {"case", id},
                {"iterations", iterations},
                {"real_s", result.real_s},
                {"cpu_s", result.cpu_s},
                {"total_s", result.total_s},
                {"wall_s", result.wall_s},
                {"counters", std::move(counters)}};
  if (result.iterations != iterations) reply["ran"] = result.iterations;
  if (TakeChecked()) reply["checked"] = true;
  for (const Recorder* recorder : RecordersWithCalls()) {
    reply["calls"][VisibleText(recorder->name())] = recorder->Recorded().ToText();
  }
  return reply;
}

std::string Do(const Json& request) {
  if (!request.is_object()) return "";
  const auto at = request.find("do");
  return at != request.end() && at->is_string() ? at->get<std::string>() : "";
}

[[noreturn]] void Refuse(const Channel& channel, const std::string& why) {
  channel.Write(ProtocolError(why).dump());
  _exit(static_cast<int>(Exit::kData));
}

// Answers requests until `quit`.
void Serve(Channel& channel, const BuildDescription* build, std::vector<Case>& cases) {
  const Json list = List(cases);
  // The library looks at the machine once, when it first runs something: not within a slice.
  const benchmark::BenchmarkReporter::Context context;

  const auto reply = [&channel](const Json& message) {
    if (!channel.Write(message.dump())) _exit(0);
  };
  reply(Hello(build));
  for (;;) {
    std::string line;
    const Channel::Event event = channel.Read(&line);
    if (event == Channel::Event::kEnd) _exit(0);
    if (event == Channel::Event::kTooLong) {
      reply(ProtocolError("the line is longer than 1 MiB."));
      continue;
    }
    const Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const std::string verb = Do(request);
    if (verb == "list") {
      const auto folder = request.find("folder");
      if (folder != request.end() && folder->is_string()) SetRunFolder(folder->get<std::string>());
      reply(list);
    } else if (verb == "slice") {
      reply(WithNonce(request, Slice(request, cases)));
    } else if (verb == "quit") {
      reply({{"ok", "quit"}});
      return;
    } else if (request.is_discarded()) {
      reply(ProtocolError("the line is not JSON."));
    } else {
      reply(ProtocolError(R"(`do` must be "list", "slice" or "quit".)"));
    }
  }
}

}  // namespace

int ServeWorker(int fd, const BuildDescription& build, int argc, char** argv) {
  Channel channel(fd);
  InitializeForWorker(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<Case> cases = TakeCases();
  Serve(channel, &build, cases);
  return 0;
}

std::size_t ServePreloaded(int fd) {
  Channel channel(fd);
  // The library keeps the pointer: it names the executable in reports.
  char* argv[] = {program_invocation_name, nullptr};
  int argc = 1;
  InitializeForWorker(&argc, argv);
  std::vector<Case> cases = TakeCases();
  for (const Case& c : cases) {
    if (!c.unreachable.empty()) Refuse(channel, VisibleText(c.name) + ": " + c.unreachable);
  }
  Serve(channel, nullptr, cases);
  return cases.size();
}

void RefuseToServe(int fd, const std::string& why) { Refuse(Channel(fd), VisibleText(why)); }

}  // namespace perfgate::bench
