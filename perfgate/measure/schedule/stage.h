// SPDX-License-Identifier: Apache-2.0
// stage.h: the launched arms of a round, and one slice on one of them while the others are idle.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/schedule/context.h"

namespace perfgate::measure {

// The arms of one round. Launches an arm when it is first needed, and all of them again after one
// has died, so that no fresh process is compared with one that has run other cases; the optional
// arm alone, because the others go on with the case.
class Stage {
 public:
  // slot_of_arm: which path slot each arm is started through in this round. must_pause: arms that
  // are stopped while they are idle, to which the stage adds; it outlives the stage.
  // layout_of_arm: which layout each arm runs, -1 for its executable; empty: all run that.
  Stage(const Context& context, std::vector<int> slot_of_arm, std::vector<bool>& must_pause,
        std::vector<int> layout_of_arm = {});
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // Launches the arms in this order; a launch that fails shows when the arm is asked for a slice.
  void launch(std::span<const int> order);

  // One slice of a case on an arm that has it. Slices during which another arm used the core are
  // repeated, at most 3 times, and counted in *voided; from then on that arm is stopped while idle.
  SliceResult slice(int arm, const SliceRequest& request, int* voided);

  // One process run over several cases (process-per-suite arms).
  std::vector<SliceResult> suite_slice(int arm, std::span<const SliceRequest> requests);

  // Asks whether the arm left processes behind; if so ends the arm, to be launched anew.
  std::optional<std::string> collect_leftovers(int arm);

  // Pins all arms: threaded cases get every leased core, others the first.
  void pin_for(int threads);

  double cpu_seconds() const;  // of all arms so far, including those that were ended

  // Ends all arms; they can be launched again. The result is of what ran since the last call.
  std::vector<Departure> quit();

 private:
  Driver* driver(int arm, SliceResult* failure);
  void pause_others(int arm);
  void Pause(std::size_t arm);
  void LimitWait(double used_s, SliceResult& result) const;
  void end(int arm);
  void end_with(int arm);

  const Context& context_;
  std::vector<int> slot_of_arm_;
  std::vector<int> layout_of_arm_;
  std::vector<bool>& must_pause_;
  std::vector<std::unique_ptr<Driver>> drivers_;
  std::vector<Departure> departures_;
  std::vector<bool> paused_;
  std::vector<int> pinned_;
  double ended_cpu_s_ = 0;
};

}  // namespace perfgate::measure
