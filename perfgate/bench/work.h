// SPDX-License-Identifier: Apache-2.0
// work.h: how a benchmark says what one iteration of a case has to do at least.
//
//   perfgate::bench::DeclareWork("scale/n:4096", {.bytes = 32768, .flops = 4096, .ceiling =
//   "copy/n:4096"});
//
// before main() or while registering: bytes that must be moved and floating-point operations that
// must be done by any implementation. `ceiling` names the case, of the same executable, whose bytes
// per second are the most that this machine can do; reports print the share of it that was reached,
// measured in the same session. Names are those of registration; what the library appends to them
// (/manual_time, /threads:4, arguments) need not be given.
//
// These numbers describe. Nothing is gated on them.
//
// `workload` names what is run beyond the name of the case: a model, a number of tokens. A gate
// refuses to compare two executables whose cases of one name differ in it (not_comparable).
//
// `result` names what is computed. Cases that name the same promise the same bits and report them
// as the counter "result_digest" (metrics.h). An option of an ablation, a candidate of a gate and
// an agent's version that break the promise are invalid, however fast they are. A change that is
// meant to compute other bits gives the result another name.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfgate::bench {

struct Work {
  double bytes = 0;
  double flops = 0;
  std::string ceiling{};                                        // empty: none
  std::vector<std::pair<std::string, std::string>> workload{};  // names are different
  std::string result{};                                         // empty: nothing is promised
};

// Records a declaration; a second one for the same name replaces the first. Throws
// std::invalid_argument for an empty name and for numbers that are negative or not finite.
void DeclareWork(const std::string& name, Work work);

// The declaration for the case that the library lists as `listed`: under its whole name or the
// longest declared beginning of it that ends before a '/'. Nullptr: none.
const Work* FindWork(std::string_view listed);

}  // namespace perfgate::bench
