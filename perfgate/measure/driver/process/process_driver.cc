// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/process_driver.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "perfgate/base/text/one_line.h"
#include "perfgate/measure/driver/process/benchmark_run.h"
#include "perfgate/measure/driver/process/case_filter.h"
#include "perfgate/measure/driver/process/search_time.h"
#include "perfgate/measure/driver/slice_clock.h"

namespace perfgate::measure {
namespace {

// What one run says of one case: the mean over its repetitions. least_s: that it was asked to take;
// 0: it was asked for iterations.
SliceResult mean_of(const std::vector<const BenchmarkRow*>& rows, const std::string& library,
                    double least_s) {
  SliceResult result;
  std::map<std::string, std::pair<double, int>> sums;
  for (const BenchmarkRow* row : rows) {
    if (row->error || row->skipped) {
      // Guards of perfgate::bench mark what they refuse; nothing else of an error row is known.
      constexpr std::string_view kInvalid = "invalid: ";
      const bool invalid = row->error && row->message.starts_with(kInvalid);
      result.fault =
          invalid ? FaultKind::kInvalid : (row->error ? FaultKind::kError : FaultKind::kSkipped);
      result.detail =
          one_line_tail(row->message.substr(invalid ? kInvalid.size() : 0), kShownBytes);
      return result;
    }
    if (!row->unreadable.empty()) {
      result.fault = FaultKind::kBadValue;
      result.detail = "a result row cannot be used: " + one_line_tail(row->unreadable, 300);
      return result;
    }
    result.iterations += row->iterations;
    result.real_s += row->real_s / static_cast<double>(rows.size());
    result.cpu_s += row->cpu_s / static_cast<double>(rows.size());
    result.total_s += row->real_s * IterationsOfRow(*row, library);
    for (const auto& [name, value] : row->counters) {
      sums[name].first += value;
      ++sums[name].second;
    }
  }
  if (least_s > 0) {
    result.search_s = SearchS(*rows.front(), library, least_s);
    if (IsTooShort(*rows.front(), library, least_s)) {
      result.fault = FaultKind::kInvalid;
      result.detail = "second_clock: it reports " + std::to_string(result.iterations) +
                      " iterations, less than half of the time that it was asked to take";
      return result;
    }
  }
  for (const auto& [name, sum] : sums) result.counters.emplace_back(name, sum.first / sum.second);
  RefuseBadTimes(result);
  return result;
}

using Indices = std::vector<std::size_t>;

double SecondsAskedFor(std::span<const SliceRequest> requests, const Indices& part) {
  double seconds = 0;
  for (const std::size_t i : part) seconds = std::max(seconds, requests[i].seconds);
  return seconds;
}

struct Blame {
  Indices blamed;  // the run's fault is theirs
  Indices again;   // the run did not get to them
};

// without: requests that have no row, in the library's order; last: the last of all that were run.
// What broke a run is the first case without a row, or the last case where all have one.
Blame blame_for(const RunOutcome& outcome, const Indices& without, std::size_t last) {
  const bool in_order = outcome.launch_error.empty() && !outcome.timed_out &&
                        !outcome.file_too_large && outcome.status.ok() && outcome.file.complete;
  if (without.empty()) return {in_order ? Indices{} : Indices{last}, {}};
  const bool nothing_ran =
      !outcome.launch_error.empty() ||
      (outcome.status.ok() && !outcome.timed_out && (outcome.file.complete || outcome.file_empty));
  if (nothing_ran) return {without, {}};
  return {{without.front()}, Indices(without.begin() + 1, without.end())};
}

class ProcessDriver final : public Driver {
 public:
  ProcessDriver(const Listing& listing, Launch launch)
      : cases_(listing.cases), fixed_counts_(listing.fixed_counts), launch_(std::move(launch)) {}

  SliceResult slice(const SliceRequest& request) override {
    return suite_slice({&request, 1}).front();
  }

  std::vector<SliceResult> suite_slice(std::span<const SliceRequest> requests) override;

  bool alive() const override { return alive_; }
  void pin(std::span<const int> cpus) override { launch_.cpus.assign(cpus.begin(), cpus.end()); }
  double cpu_seconds() const override { return cpu_s_; }
  void pause() override {}  // no process lives between slices
  void resume() override {}
  int leftover_processes() const override { return leftovers_; }

  Departure quit() override {
    alive_ = false;
    return std::exchange(departure_, Departure{});
  }

 private:
  const std::string& name_of(const SliceRequest& request) const {
    return cases_[request.case_id].name;
  }
  bool IsTimed(std::span<const SliceRequest> requests, const Indices& part) const;
  std::string length_option(std::span<const SliceRequest> requests, const Indices& part) const;
  Indices run_part(std::span<const SliceRequest> requests, const Indices& part,
                   const std::string& filter, std::vector<SliceResult>* results);
  void account(const RunOutcome& outcome);

  std::vector<CaseInfo> cases_;
  bool fixed_counts_;
  Launch launch_;
  PrivateFolder scratch_{"perfgate-out-"};
  bool alive_ = true;
  int leftovers_ = 0;
  double cpu_s_ = 0;
  Departure departure_;
};

// One option holds for a whole process. Where counts differ within it, it runs by time.
bool ProcessDriver::IsTimed(std::span<const SliceRequest> requests, const Indices& part) const {
  const SliceRequest& first = requests[part.front()];
  const bool same_count = std::all_of(part.begin(), part.end(), [&](std::size_t i) {
    return requests[i].iterations == first.iterations;
  });
  return !(fixed_counts_ && same_count && first.iterations > 0);
}

std::string ProcessDriver::length_option(std::span<const SliceRequest> requests,
                                         const Indices& part) const {
  if (!IsTimed(requests, part)) return iterations_option(requests[part.front()].iterations);
  return seconds_option(SecondsAskedFor(requests, part));
}

void ProcessDriver::account(const RunOutcome& outcome) {
  leftovers_ += outcome.leftovers;
  departure_.leftover_processes += outcome.leftovers;
  departure_.voluntary_switches += outcome.status.usage.ru_nvcsw;
  departure_.involuntary_switches += outcome.status.usage.ru_nivcsw;
  cpu_s_ += outcome.cpu_s;
}

// The rows of each case. Two registrations may have one name; the listing knows the first.
std::map<std::string, std::vector<const BenchmarkRow*>> rows_by_case(const BenchmarkFile& file) {
  std::map<std::string, std::vector<const BenchmarkRow*>> rows;
  for (const BenchmarkRow& row : file.rows) {
    if (row.aggregate) continue;
    auto& same = rows[row.run_name];
    const bool first = same.empty() || (same.front()->family_index == row.family_index &&
                                        same.front()->instance_index == row.instance_index);
    if (first) same.push_back(&row);
  }
  return rows;
}

// Runs one process for requests[part]; returns those that it did not get to because an earlier one
// broke it.
Indices ProcessDriver::run_part(std::span<const SliceRequest> requests, const Indices& part,
                                const std::string& filter, std::vector<SliceResult>* results) {
  RunRequest run;
  run.filter = filter;
  run.options = {length_option(requests, part)};
  run.step_limit_s = run.limit_s = 0;
  for (const std::size_t i : part) {
    run.step_limit_s = std::max(run.step_limit_s, requests[i].limit_s);
    run.limit_s += requests[i].limit_s;
  }
  const RunOutcome outcome = run_benchmarks(launch_, scratch_, run);
  account(outcome);
  const auto rows = rows_by_case(outcome.file);
  Indices without;
  for (const std::size_t i : part) {
    const auto found = rows.find(name_of(requests[i]));
    if (found == rows.end()) {
      without.push_back(i);
      continue;
    }
    const CaseInfo& info = cases_[requests[i].case_id];
    const bool timed = info.fixed_iterations == 0 && IsTimed(requests, part);
    SliceResult& result = (*results)[i];
    result = mean_of(found->second, outcome.file.library_version,
                     timed ? SecondsAskedFor(requests, part) : 0);
    result.wall_s = outcome.wall_s;
    result.waited_s = outcome.after_s;
    SliceClock::EnterWait(outcome.core_wait_s, result);
    result.has_wall = part.size() == 1;
    RefuseContradictions(info, result);
  }
  // The library runs in the order of the listing.
  const auto by_listing = [&](std::size_t a, std::size_t b) {
    return requests[a].case_id < requests[b].case_id;
  };
  std::stable_sort(without.begin(), without.end(), by_listing);
  const std::size_t last = *std::max_element(part.begin(), part.end(), by_listing);
  const Blame blame = blame_for(outcome, without, last);
  for (const std::size_t i : blame.blamed) {
    SliceResult& result = (*results)[i];
    result = SliceResult{};
    result.fault = outcome.fault();
    result.detail = outcome.detail("in case " + one_line_tail(name_of(requests[i]), 200));
    result.wall_s = outcome.wall_s;
  }
  return blame.again;
}

std::vector<SliceResult> ProcessDriver::suite_slice(std::span<const SliceRequest> requests) {
  leftovers_ = 0;
  std::vector<SliceResult> results(requests.size());
  for (const SliceRequest& request : requests) {
    if (request.case_id >= cases_.size()) throw std::logic_error("slice: no such case id");
  }
  Indices open(requests.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const bool everything = requests.size() > 1 && requests.size() == cases_.size();
  if (everything) open = run_part(requests, open, "", &results);
  while (!open.empty()) {
    std::vector<std::string> names;
    names.reserve(open.size());
    for (const std::size_t i : open) names.push_back(name_of(requests[i]));
    Indices again;
    for (const FilterPart& part : filters_of(names)) {
      Indices indices;
      for (const std::size_t k : part.indices) indices.push_back(open[k]);
      const std::string filter =
          indices.size() == 1 ? filter_of(name_of(requests[indices.front()])) : part.filter;
      const Indices rest = run_part(requests, indices, filter, &results);
      again.insert(again.end(), rest.begin(), rest.end());
    }
    open = std::move(again);
  }
  return results;
}

}  // namespace

std::unique_ptr<Driver> launch_processes(const Executable&, DriverKind, const Listing& listing,
                                         const Launch& launch) {
  return std::make_unique<ProcessDriver>(listing, launch);
}

}  // namespace perfgate::measure
