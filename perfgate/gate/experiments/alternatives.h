// SPDX-License-Identifier: Apache-2.0
// alternatives.h: two or more alternatives measured in one session: which is the fastest, and by
// how much?
//
// Alternatives are executables, cases of one executable that differ in the value of a key in their
// names, or command lines. Every alternative runs in processes of its own, on one core, in balanced
// orders (measure/slot_orders.h). The number of rounds is fixed before the first one and there is
// one look, at the end.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/gate/commands.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct Alternative {
  std::string label;       // empty: the file's name, or the line itself
  std::string executable;  // or a command line
};

struct AlternativesRequest {
  std::vector<Alternative> alternatives;  // 2 to kMostAlternatives; one where `by` is given
  std::string by;                         // key whose values are the alternatives; empty: none
  // Label of the alternative that alone is compared with each other one. Empty: all pairs are
  // compared, and speed-ups are shown over the first.
  std::string reference;
  std::string series;  // key of the sizes in the names, see verdict/alternatives/case_keys.h
  std::string metric = "real_time";
  Family family = Family::kSuite;
  bool aa = false;           // one executable may be several alternatives
  CommandRequest command{};  // is_asked: the alternatives are command lines
  MeasureRequest measure;
};

struct AlternativesResult {
  AlternativesVerdict verdict;
  Session session;
};

// Error(kUsage) for a request that names too few or too many alternatives, one of them twice, an
// unknown reference, or a key that no case has. Otherwise as RunGate.
AlternativesResult RunAlternatives(const AlternativesRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
