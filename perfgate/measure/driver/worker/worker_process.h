// SPDX-License-Identifier: Apache-2.0
// worker_process.h: one worker process: a request, its answer, or what went wrong instead.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/os/process.h"
#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/driver/worker/worker_channel.h"
#include "perfgate/measure/driver/worker/worker_messages.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// What a worker did wrong; it cannot be used any more.
struct WorkerFault {
  FaultKind kind = FaultKind::kProtocol;
  std::string detail;
};

class WorkerProcess {
 public:
  // Starts it. All members throw WorkerFault for what the worker does wrong, and Interrupted.
  WorkerProcess(const Executable& executable, const Launch& launch);

  // Waits for the first line. Error(kNotComparable) when no version is spoken by both.
  Hello hello(double limit_s);

  // Cases and metrics. folder: as Launch::folder.
  Listing list(double limit_s, const std::string& folder = {});

  // Faults that leave the worker usable (skipped, error, bad value) are in the result. wall_s stays
  // 0. `name` is for messages.
  SliceResult slice(std::size_t id, const std::string& name, const SliceRequest& request);

  // Asks it to end, waits and kills it where it does not. Returns a complaint, or nothing. Never
  // throws.
  std::string quit(double limit_s);

  ChildProcess& child() { return child_; }
  const ChildProcess& child() const { return child_; }

 private:
  nlohmann::json ask(const nlohmann::json& request, double limit_s, const std::string& doing);
  nlohmann::json receive(double limit_s, const std::string& doing);
  // What `read` makes of an answer; a malformed one is the worker's fault.
  template <typename Read>
  auto understood(const std::string& doing, const Read& read);
  [[noreturn]] void broken(Receipt receipt, double limit_s, const std::string& doing);
  [[noreturn]] void misspoke(const std::string& what, const std::string& doing);

  std::string path_;
  UniqueFd far_end_;
  WorkerChannel channel_;
  ChildProcess child_;
  int version_ = 1;  // of the protocol, once it has said hello
};

}  // namespace perfgate::measure
