// SPDX-License-Identifier: Apache-2.0
// gate.h: the gate as a library call.
//
//   perfgate::gate::GateRequest request;
//   request.baseline = "old/my_bench";
//   request.candidate = "new/my_bench";
//   perfgate::gate::GateDisplay silent;
//   const perfgate::gate::GateResult result = perfgate::gate::RunGate(request, silent);
//   // result.exit, result.verdict.columns, result.session
//
// The room, from a request to a verdict:
//   gate.h            two executables, a store or two files of results, by what the request names
//   request.h         what can be asked;  policy_request.h  defaults, file and overrides: a policy
//   looks.h           when the gate looks, and what goes on;  layouts.h  what rounds draw from
//   hot_code.h        whether cases that it would name run the same code in both
//   confirmation.h    the second stage, over layouts
//   attempts.h        earlier attempts on the same executables (a ledger)
//   measuring.h       the one builder of plans and of hooks, for every experiment
//   exits.h           every exit code of a command that measures
//   roots/            change, trusted commit and key, as the verdict says them
//   recorded/         against a store or files: baseline, trusted revision, results
//   bisect/           which commit made a case slower
//   history/          what stores, sessions and verdicts say of the past
//   fleet/            a suite that several jobs measure, judged as one
//   experiments/      parity, ablation, calibration, recording, plain runs
// It calls measure, verdict, store and import. The command line calls it and only parses and
// prints.
#pragma once

#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/request.h"

namespace perfgate::gate {

struct GateResult {
  SuiteVerdict verdict;
  std::optional<Session> session;  // what was measured, with the rounds of earlier attempts
  Exit exit = Exit::kInternal;     // of the run: verdict.exit but where `suspected` lets it pass
};

// Measures what has to be measured and judges it. Not to be called from two threads at once: it
// pins and waits for cores. Error(kUsage) where the request contradicts itself, Error(kData) and
// Error(kInvalid) for files; of a candidate that is recorded first (a store without its executable)
// also what RecordSessions throws.
//
// A signal ends the process, unless the caller holds an InterruptScope (base/os/interrupt.h): then
// the result is the verdict on what was measured until then, and where a candidate is recorded
// Interrupted is thrown.
GateResult RunGate(const GateRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
