// SPDX-License-Identifier: Apache-2.0
// progress.h: what perfgate says while it measures, on standard error: one line that is rewritten
// on a terminal, a line per phase and look elsewhere.
#pragma once

#include <functional>

#include "perfgate/measure/schedule/scheduler.h"

namespace perfgate::cli {

class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();  // clears the line
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const measure::Progress& progress);

  // A line of its own, above the progress line on a terminal.
  void say(const std::string& text);

 private:
  void clear();

  bool terminal_;
  int width_ = 80;
  bool drawn_ = false;
  double last_drawn_s_ = -1;
  int last_phase_ = -1;
  int last_round_ = -1;
};

}  // namespace perfgate::cli
