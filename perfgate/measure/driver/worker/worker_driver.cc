// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_driver.h"

#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/driver/arm_error.h"
#include "perfgate/measure/driver/slice_clock.h"
#include "perfgate/measure/driver/worker/worker_process.h"
#include "perfgate/measure/identity/mapped_files.h"

namespace perfgate::measure {
namespace {

constexpr std::size_t kAbsentId = std::numeric_limits<std::size_t>::max();

// Case ids of this process for the cases of `wanted`. Names may repeat: the second of a name is the
// second of that name in the other list.
std::vector<std::size_t> match_ids(const std::vector<CaseInfo>& wanted,
                                   const std::vector<CaseInfo>& present) {
  std::map<std::pair<std::string, int>, std::size_t> ids;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < present.size(); ++i) {
    ids[{present[i].name, seen[present[i].name]++}] = i;
  }
  seen.clear();
  std::vector<std::size_t> matched;
  matched.reserve(wanted.size());
  for (const CaseInfo& info : wanted) {
    const auto found = ids.find({info.name, seen[info.name]++});
    matched.push_back(found == ids.end() ? kAbsentId : found->second);
  }
  return matched;
}

class WorkerDriver final : public Driver {
 public:
  WorkerDriver(const Executable& executable, const Listing& listing, const Launch& launch,
               const WorkerLimits& limits)
      : names_(names_of(listing)), cases_(listing.cases), limits_(limits) {
    try {
      worker_ = std::make_unique<WorkerProcess>(executable, launch);
      worker_->hello(limits.hello_s);
      ids_ = match_ids(listing.cases, worker_->list(limits.list_s, launch.folder).cases);
    } catch (const WorkerFault& fault) {
      die(fault);
    }
  }

  SliceResult slice(const SliceRequest& request) override {
    SliceResult result;
    const SliceClock clock;
    // After the clock has started: what a paused arm does from now on is in its slice.
    if (worker_) worker_->child().resume();
    if (request.case_id >= names_.size()) throw std::logic_error("slice: no such case id");
    const std::string& name = names_[request.case_id];
    if (!worker_) {
      result.fault = death_.kind;
      result.detail = death_.detail;
      return result;
    }
    if (ids_[request.case_id] == kAbsentId) {
      result.fault = FaultKind::kAbsent;
      result.detail = "this launch of the executable does not list case " + name;
      return result;
    }
    try {
      result = worker_->slice(ids_[request.case_id], name, request);
    } catch (const WorkerFault& fault) {
      die(fault);
      result.fault = fault.kind;
      result.detail = fault.detail;
    }
    clock.Stop(result);
    RefuseContradictions(cases_[request.case_id], result);
    return result;
  }

  std::vector<SliceResult> suite_slice(std::span<const SliceRequest> requests) override {
    std::vector<SliceResult> results;
    results.reserve(requests.size());
    for (const SliceRequest& request : requests) results.push_back(slice(request));
    return results;
  }

  bool alive() const override { return worker_ != nullptr; }

  void pin(std::span<const int> cpus) override {
    if (worker_) worker_->child().pin(cpus);
  }

  double cpu_seconds() const override {
    return worker_ ? worker_->child().cpu_seconds() : ended_cpu_s_;
  }

  int pid() const override { return worker_ ? worker_->child().program() : -1; }

  void pause() override {
    if (worker_) worker_->child().pause();
  }
  void resume() override {
    if (worker_) worker_->child().resume();
  }

  int leftover_processes() const override {
    return worker_ ? static_cast<int>(worker_->child().leftovers().size()) : 0;
  }

  std::vector<std::string> mapped_files() const override {
    return worker_ ? MappedFilesOf(worker_->child().program()) : std::vector<std::string>{};
  }

  Departure quit() override {
    if (worker_) {
      const std::string complaint = worker_->quit(limits_.quit_s);
      depart();
      departure_.detail = complaint;
    }
    return std::exchange(departure_, Departure{});
  }

 private:
  static std::vector<std::string> names_of(const Listing& listing) {
    std::vector<std::string> names;
    names.reserve(listing.cases.size());
    for (const CaseInfo& info : listing.cases) names.push_back(one_line_tail(info.name, 200));
    return names;
  }

  void die(const WorkerFault& fault) {
    death_ = fault;
    if (worker_) depart();
    departure_.detail = fault.detail;
  }

  // Ends whatever is left of the worker and keeps the account of it.
  void depart() {
    ChildProcess& child = worker_->child();
    const bool in_order = child.status().exited;
    if (in_order) departure_.leftover_processes += child.kill_leftovers(kLeftoverGraceS);
    child.kill_all();
    const rusage& usage = child.status().usage;
    departure_.voluntary_switches += usage.ru_nvcsw;
    departure_.involuntary_switches += usage.ru_nivcsw;
    ended_cpu_s_ = child.cpu_seconds();
    worker_.reset();
  }

  std::vector<std::string> names_;  // fit for messages
  std::vector<CaseInfo> cases_;
  std::vector<std::size_t> ids_;
  WorkerLimits limits_;
  std::unique_ptr<WorkerProcess> worker_;  // null: dead
  WorkerFault death_{FaultKind::kExited, "the arm has been ended"};
  Departure departure_;
  double ended_cpu_s_ = 0;
};

}  // namespace

Listing list_worker(const Executable& executable, const Launch& launch,
                    const WorkerLimits& limits) {
  try {
    WorkerProcess worker(executable, launch);
    Listing listing;
    const auto start = Clock::now();
    const Hello hello = worker.hello(limits.hello_s);
    listing = worker.list(limits.list_s);
    listing.by_worker = true;
    listing.startup_s = seconds_since(start);
    listing.library = hello.library;
    listing.build = hello.build;
    const std::string complaint = worker.quit(limits.quit_s);
    // What follows the cases in a preloaded program is the program's own and has not been tried.
    if (!launch.preload.empty() && !complaint.empty()) {
      throw WorkerFault{FaultKind::kExited, complaint};
    }
    return listing;
  } catch (const WorkerFault& fault) {
    throw ArmError(fault.kind, executable.path + ": " + fault.detail);
  }
}

std::unique_ptr<Driver> launch_worker(const Executable& executable, const Listing& listing,
                                      const Launch& launch, const WorkerLimits& limits) {
  return std::make_unique<WorkerDriver>(executable, listing, launch, limits);
}

}  // namespace perfgate::measure
