// SPDX-License-Identifier: Apache-2.0
// display.h: what a gate says while it measures. The base class says nothing; a command line draws.
#pragma once

#include <string>

#include "perfgate/measure/measure.h"

namespace perfgate::gate {

class GateDisplay {
 public:
  GateDisplay() = default;
  virtual ~GateDisplay() = default;
  GateDisplay(const GateDisplay&) = delete;
  GateDisplay& operator=(const GateDisplay&) = delete;

  // Called for every step of a measurement: cheap to ignore.
  virtual void Show(const measure::Progress&) {}

  // A sentence that the user should read now: a warning, what is waited for.
  virtual void Say(const std::string&) {}
};

}  // namespace perfgate::gate
