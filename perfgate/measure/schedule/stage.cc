// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/stage.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/index.h"

namespace perfgate::measure {
namespace {

// CPU that idle arms may use during a peer's slice: reading the end of the last request takes some
// 10 us; 2 % of a slice cannot turn a verdict.
constexpr double kIdleShare = 0.02;
constexpr double kIdleFloorS = 200e-6;
constexpr int kRepeats = 3;

std::vector<int> first_core(const std::vector<int>& cpus) {
  return cpus.empty() ? std::vector<int>() : std::vector<int>{cpus.front()};
}

}  // namespace

Stage::Stage(const Context& context, std::vector<int> slot_of_arm, std::vector<bool>& must_pause,
             std::vector<int> layout_of_arm)
    : context_(context),
      slot_of_arm_(std::move(slot_of_arm)),
      layout_of_arm_(std::move(layout_of_arm)),
      must_pause_(must_pause),
      drivers_(context.listings.size()),
      departures_(context.listings.size()),
      paused_(context.listings.size(), false),
      pinned_(first_core(context.cpus)) {}

void Stage::launch(std::span<const int> order) {
  if (context_.one_at_a_time) return;
  for (const int arm : order) {
    SliceResult ignored;
    driver(arm, &ignored);
  }
}

Driver* Stage::driver(int arm, SliceResult* failure) {
  std::unique_ptr<Driver>& current = drivers_[Index(arm)];
  if (current && current->alive()) return current.get();
  end(arm);
  for (std::size_t other = 0; context_.one_at_a_time && other < drivers_.size(); ++other) {
    end(static_cast<int>(other));
  }
  try {
    current = context_.launcher.start(
        {.arm = arm,
         .slot = slot_of_arm_[Index(arm)],
         .driver = context_.drivers[Index(arm)],
         .listing = &context_.listings[Index(arm)],
         .cpus = pinned_,
         .nice = context_.nice,
         .layout = layout_of_arm_.empty() ? -1 : layout_of_arm_[Index(arm)]});
  } catch (const Error& error) {
    failure->fault = FaultKind::kLaunch;
    failure->detail = error.what();
    return nullptr;
  }
  return current.get();
}

void Stage::end(int arm) {
  std::unique_ptr<Driver>& current = drivers_[Index(arm)];
  if (!current) return;
  const double cpu_s = std::max(0.0, current->cpu_seconds());
  if (paused_[Index(arm)]) current->resume();
  paused_[Index(arm)] = false;
  const Departure departure = current->quit();
  const double whole_cpu_s = std::max(0.0, current->cpu_seconds());  // with what its end took
  ended_cpu_s_ += whole_cpu_s;
  current.reset();
  Departure& sum = departures_[Index(arm)];
  sum.voluntary_switches += departure.voluntary_switches;
  sum.involuntary_switches += departure.involuntary_switches;
  sum.leftover_processes += departure.leftover_processes;
  sum.end_cpu_s += std::max(0.0, whole_cpu_s - cpu_s);
  if (!departure.detail.empty()) sum.detail = departure.detail;
}

void Stage::end_with(int arm) {
  end(arm);
  if (IsOptional(context_.plan, arm)) return;
  for (std::size_t other = 0; other < drivers_.size(); ++other) end(static_cast<int>(other));
}

void Stage::pause_others(int arm) {
  for (std::size_t other = 0; other < drivers_.size(); ++other) {
    if (!drivers_[other]) continue;
    if (other != Index(arm) && must_pause_[other]) Pause(other);
  }
}

void Stage::Pause(std::size_t arm) {
  if (!paused_[arm]) drivers_[arm]->pause();
  paused_[arm] = true;
}

// The gate waited for a core while the arm waited for the gate. An arm that used its own core
// meanwhile went on working.
void Stage::LimitWait(double used_s, SliceResult& result) const {
  const auto cores = static_cast<double>(std::max<std::size_t>(1, pinned_.size()));
  const double idle_s = std::max(0.0, result.wall_s - used_s / cores);
  result.waited_s = std::min(result.waited_s, idle_s);
}

SliceResult Stage::slice(int arm, const SliceRequest& request, int* voided) {
  SliceResult result;
  for (int attempt = 0; attempt <= kRepeats; ++attempt) {
    Driver* self = driver(arm, &result);
    if (self == nullptr) return result;
    pause_others(arm);
    std::vector<double> before(drivers_.size());
    for (std::size_t other = 0; other < drivers_.size(); ++other) {
      before[other] = drivers_[other] ? drivers_[other]->cpu_seconds() : 0.0;
    }
    result = self->slice(request);
    paused_[Index(arm)] = false;
    if (must_pause_[Index(arm)] && self->alive()) {
      Pause(Index(arm));
      LimitWait(self->cpu_seconds() - before[Index(arm)], result);
    }
    if (result.fault) {
      if (!self->alive()) end_with(arm);
      return result;
    }
    const double allowed = std::max(kIdleFloorS, kIdleShare * result.wall_s);
    bool idle = true;
    for (std::size_t other = 0; other < drivers_.size(); ++other) {
      if (other == Index(arm) || !drivers_[other]) continue;
      if (drivers_[other]->cpu_seconds() - before[other] > allowed) {
        must_pause_[other] = true;
        idle = false;
      }
    }
    if (idle) return result;
    ++*voided;
  }
  result.fault = FaultKind::kProtocol;
  result.detail = "an idle arm kept using the core during " + std::to_string(kRepeats + 1) +
                  " attempts at one slice";
  return result;
}

std::vector<SliceResult> Stage::suite_slice(int arm, std::span<const SliceRequest> requests) {
  SliceResult failure;
  Driver* self = driver(arm, &failure);
  if (self == nullptr) {
    std::vector<SliceResult> failures(requests.size(), failure);
    return failures;
  }
  return self->suite_slice(requests);
}

std::optional<std::string> Stage::collect_leftovers(int arm) {
  Driver* self = drivers_[Index(arm)].get();
  if (self == nullptr || !self->alive()) return std::nullopt;
  const int leftovers = self->leftover_processes();
  if (leftovers == 0) return std::nullopt;
  end_with(arm);
  departures_[Index(arm)].leftover_processes = 0;  // charged to the case by the caller
  return std::to_string(leftovers) + " process(es) stayed behind after the slice; they were killed";
}

void Stage::pin_for(int threads) {
  if (context_.cpus.empty()) return;
  const std::size_t count = threads > 1 ? context_.cpus.size() : 1;
  if (pinned_.size() == count) return;
  pinned_.assign(context_.cpus.begin(), context_.cpus.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& driver : drivers_) {
    if (driver) driver->pin(pinned_);
  }
}

double Stage::cpu_seconds() const {
  double sum = ended_cpu_s_;
  for (const auto& driver : drivers_) {
    if (driver) sum += std::max(0.0, driver->cpu_seconds());
  }
  return sum;
}

std::vector<Departure> Stage::quit() {
  for (std::size_t arm = 0; arm < drivers_.size(); ++arm) end(static_cast<int>(arm));
  pinned_ = first_core(context_.cpus);
  return std::exchange(departures_, std::vector<Departure>(drivers_.size()));
}

}  // namespace perfgate::measure
