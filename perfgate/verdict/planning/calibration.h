// SPDX-License-Identifier: Apache-2.0
// calibration.h: from the slices of an A/A session to a calibration.
#pragma once

#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// Fewest rounds that a calibration may rest on, and how many it should have before its predictions
// are worth much: at 20 rounds a standard deviation is known to about 16 %.
inline constexpr int kLeastCalibrationRounds = 6;
inline constexpr int kWantedCalibrationRounds = 20;

// session: two arms of one executable, every case in every round. Only the leading rounds that hold
// every sound case count: the last one may have been cut short by the budget. Cases with a fault
// and metrics that are not there in every round are left out, with the reason. gate_policy: what a
// gate on the suite would use; its pairs, slices and filter become those of the session.
//
// A slice's wall time is its median time and the set-up that calibrating its iterations saw; what
// the rounds took beyond their slices is the cost of launching. Where they took less, the slices
// are scaled to the rounds. With one process per suite the launches are part of every pair.
//
// Values are rounded to what they can mean (six digits), so that files stay small.
//
// Throws Error(kInvalid) where the session is no A/A session of two arms, Error(kInconclusive)
// where fewer than 6 rounds hold every sound case or no case is sound.
Calibration calibrate_noise(const Session& session, const Policy& gate_policy);

}  // namespace perfgate::inline verdict
