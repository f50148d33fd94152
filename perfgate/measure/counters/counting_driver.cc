// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/counters/counting_driver.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "perfgate/measure/counters/event_counters.h"
#include "perfgate/measure/counters/peak_rss.h"

namespace perfgate::measure {
namespace {

class CountingDriver final : public Driver {
 public:
  CountingDriver(std::unique_ptr<Driver> inner, const std::vector<std::string>& names)
      : inner_(std::move(inner)),
        events_(EventCounters::OfProcess(names, inner_->pid())),
        wants_rss_(std::find(names.begin(), names.end(), "peak_rss") != names.end()) {}

  SliceResult slice(const SliceRequest& request) override {
    const int pid = inner_->pid();
    const bool restarted = wants_rss_ && RestartPeakRss(pid);
    events_.Take();
    SliceResult result = inner_->slice(request);
    if (result.fault) return result;
    AddPerIteration(events_.Take(), result);
    const std::optional<double> peak = restarted ? PeakRss(pid) : std::nullopt;
    if (peak) result.counters.emplace_back("peak_rss", *peak);
    return result;
  }

  std::vector<SliceResult> suite_slice(std::span<const SliceRequest> requests) override {
    std::vector<SliceResult> results;
    results.reserve(requests.size());
    for (const SliceRequest& request : requests) results.push_back(slice(request));
    return results;
  }

  bool alive() const override { return inner_->alive(); }
  void pin(std::span<const int> cpus) override { inner_->pin(cpus); }
  double cpu_seconds() const override { return inner_->cpu_seconds(); }
  void pause() override { inner_->pause(); }
  void resume() override { inner_->resume(); }
  int pid() const override { return inner_->pid(); }
  int leftover_processes() const override { return inner_->leftover_processes(); }
  std::vector<std::string> mapped_files() const override { return inner_->mapped_files(); }
  Departure quit() override { return inner_->quit(); }

 private:
  std::unique_ptr<Driver> inner_;
  EventCounters events_;
  bool wants_rss_;
};

}  // namespace

std::unique_ptr<Driver> WithCounts(std::unique_ptr<Driver> inner, std::vector<std::string> names) {
  if (names.empty() || inner->pid() < 0) return inner;
  return std::make_unique<CountingDriver>(std::move(inner), names);
}

void AddPerIteration(const std::vector<std::pair<std::string, double>>& events, SliceResult& into) {
  for (const auto& [name, count] : events) {
    if (count <= 0 || into.iterations <= 0) continue;
    into.counters.emplace_back(name, count / static_cast<double>(into.iterations));
  }
}

}  // namespace perfgate::measure
