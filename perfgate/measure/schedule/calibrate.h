// SPDX-License-Identifier: Apache-2.0
// calibrate.h: how many iterations make one slice, found once on the first arm and used for all, or
// on each arm where every arm is optional.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {

// What calibration learnt of one case besides the fields it fills in CaseInfo.
struct Calibrated {
  double limit_s = 0;  // per-slice limit from here on
  bool usable = false;
  std::vector<Fault> faults;  // of every arm that was tried
};

// Runs the case with 1, then more iterations until a slice takes policy.slice_s. Where set-up
// inside the benchmark's body takes more than 20 % of a slice, the slice grows up to 200 ms to
// bring it down. Fixed iteration counts are kept and repeated as often as needed. A case that
// fails on the first arm is tried once on the others, so that a case which all arms skip is known
// as such. Where every arm is optional (plan.h), each is calibrated by itself and those that fail
// are left out: faults of a usable case are of arms that the others go on without. Writes
// iterations, slice_s, setup_share and wall_s into info.
Calibrated calibrate_case(Stage& stage, const Context& context, std::size_t case_index,
                          CaseInfo& info);

// The same for executables driven one process per suite: two runs over all cases, by time.
std::vector<Calibrated> calibrate_suite(Stage& stage, const Context& context,
                                        std::vector<CaseInfo>& cases);

}  // namespace perfgate::measure
