// SPDX-License-Identifier: Apache-2.0
// progress_display.h: what perfgate says while it measures, on standard error: one line that is
// rewritten on a terminal, a line per phase and look elsewhere.
#pragma once

#include <string>

#include "perfgate/gate/display.h"

namespace perfgate::cli {

class ProgressDisplay : public gate::GateDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay() override;  // clears the line

  void Show(const measure::Progress& progress) override;

  // A line of its own, above the progress line on a terminal.
  void Say(const std::string& text) override;

  // Before something else is printed.
  void Clear();

 private:
  bool terminal_;
  int width_ = 80;
  bool drawn_ = false;
  double last_drawn_s_ = -1;
  int last_phase_ = -1;
  int last_round_ = -1;
};

}  // namespace perfgate::cli
