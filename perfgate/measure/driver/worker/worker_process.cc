// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/os/child_environment.h"
#include "perfgate/base/os/entropy.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/driver/preload.h"
#include "perfgate/measure/isolation/sandbox.h"

namespace perfgate::measure {
namespace {

using nlohmann::json;

// How long a worker that closed its socket may take to end before it counts as still running.
constexpr double kEndS = 2;
constexpr std::size_t kQuotedBytes = 120;

SpawnOptions spawn_options(const Launch& launch, int fd) {
  SpawnOptions options;
  options.path = launch.exec_path;
  options.variables = launch.variables;
  if (launch.preload.empty()) {
    options.args = {"--perfgate_worker=" + std::to_string(kGivenFd)};
  } else {
    // The program's arguments are its own.
    for (auto& variable : PreloadVariables(launch.preload)) {
      options.variables.push_back(std::move(variable));
    }
    options.variables.emplace_back("PERFGATE_WORKER", std::to_string(kGivenFd));
  }
  if (launch.inspect) options.args.emplace_back("--perfgate_inspect");
  options.args.insert(options.args.end(), launch.arguments.begin(), launch.arguments.end());
  options.cpus = launch.cpus;
  options.nice = launch.nice;
  options.memory_bytes = launch.memory_bytes;
  options.give_fd = fd;
  if (launch.sandbox) launch.sandbox->Wrap({}, options);
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
  fault.detail = with_tail(fault.detail, child_.output_tail(kShownBytes));
  throw fault;
}

void WorkerProcess::misspoke(const std::string& what, const std::string& doing) {
  throw WorkerFault{FaultKind::kProtocol, with_tail("wrong answer " + doing + ": " + what,
                                                    child_.output_tail(kShownBytes))};
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
  if (const auto refusal = ReadRefusal(reply)) {
    misspoke("it refused the request" + (refusal->empty() ? "" : ": " + *refusal), doing);
  }
  return reply;
}

template <typename Read>
auto WorkerProcess::understood(const std::string& doing, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    misspoke(error.what(), doing);
  }
}

Hello WorkerProcess::hello(double limit_s) {
  const std::string doing = "before it was ready";
  const json line = receive(limit_s, doing);
  if (const auto refusal = ReadRefusal(line)) {
    throw WorkerFault{FaultKind::kProtocol, "it refuses to be a worker: " + *refusal};
  }
  Hello hello = understood(doing, [&] { return ReadHello(line); });
  if (!SpeaksOurProtocol(hello)) {
    const auto range = [](int oldest, int newest) {
      return oldest == newest ? std::to_string(newest)
                              : std::to_string(oldest) + " to " + std::to_string(newest);
    };
    throw Error(Exit::kNotComparable,
                path_ + " speaks worker protocol " + range(hello.oldest, hello.newest) +
                    ", this perfgate " + range(kOldestProtocolVersion, kProtocolVersion) +
                    ": build it against this release of perfgate, or use a perfgate of its own");
  }
  version_ = SpokenVersion(hello);
  return hello;
}

Listing WorkerProcess::list(double limit_s, const std::string& folder) {
  const std::string doing = "while listing its cases";
  json request = {{"do", "list"}};
  if (!folder.empty()) request["folder"] = folder;
  const json reply = ask(request, limit_s, doing);
  return understood(doing, [&] { return ReadListing(reply); });
}

SliceResult WorkerProcess::slice(std::size_t id, const std::string& name,
                                 const SliceRequest& request) {
  const std::string doing = "in case " + name;
  const std::int64_t iterations = std::max<std::int64_t>(1, request.iterations);
  json message = {{"do", "slice"}, {"case", id}, {"iterations", iterations}};
  std::string nonce;
  if (version_ >= 2) {
    nonce = fmt::format("{:016x}", system_entropy());
    message["nonce"] = nonce;
  }
  const json reply = ask(message, request.limit_s, doing);
  return understood(doing, [&] { return ReadSlice(reply, id, iterations, nonce); });
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
                         child_.output_tail(kShownBytes));
      }
      return answered ? "" : "ended without answering \"quit\"";
    }
  } catch (const Interrupted&) {
    return "killed because perfgate was interrupted";
  }
  return "did not quit within " + seconds_text(limit_s) + " and was killed";
}

}  // namespace perfgate::measure
