// SPDX-License-Identifier: Apache-2.0
// measuring.h: the one place that builds a measurement for a gate, a parity, an ablation, a
// calibration, a recording or a plain run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/policy_request.h"
#include "perfgate/measure/isolation/isolation_request.h"
#include "perfgate/measure/measure.h"
#include "perfgate/stats/design/looks.h"

namespace perfgate::gate {

// What every measurement is asked with.
struct MeasureRequest {
  PolicyRequest policy;
  std::optional<std::uint64_t> seed;  // replays the coins and orders of a recorded session
  std::vector<int> cpus;              // cores to measure on; empty: the quietest
  std::string suite;
  // File that the session is written to before it is judged, so that nothing measured is lost;
  // empty: none.
  std::string session;
  // Unmodified executables may be made workers by a preloaded library, where perfgate's lies
  // beside the program (measure/driver/preload.h).
  bool preload = true;
  // That an arm may use while it is measured, all its processes together where the system can limit
  // them so, else each of them; 0: no limit.
  std::uint64_t memory_bytes = 0;
  measure::IsolationRequest isolation{};
  // Signs what is written, and only policies and sessions that it signed are read; none: anything.
  std::optional<SecretKey> key{};

  const SecretKey* signer() const { return key ? &*key : nullptr; }
};

// An arm of that label; of a folder of layouts the link as it is. Error(kData) where the file is no
// executable.
measure::ArmPlan ExecutableArm(const MeasureRequest& request, const std::string& label,
                               const std::string& path);

enum class OverLayouts { kNo, kYes };

// over: whether rounds run layouts of arms that have them, unless the policy says off.
measure::MeasurePlan PlanMeasurement(const MeasureRequest& request, Policy policy,
                                     std::vector<measure::ArmPlan> arms,
                                     OverLayouts over = OverLayouts::kYes);

// Which rounds are looks, and which cases go on after a look: all that differs between the
// experiments (measure/plan.h says when each is asked).
struct Decider {
  std::function<void(Session& session, double left_s)> plan_looks;
  std::function<std::vector<bool>(const Session& session)> open_cases;
  // Pairs, slices and warm-up of cases may be cut so that the budget holds enough rounds, and a
  // budget that holds too few for any verdict is refused with Error(kInconclusive).
  bool fits_rounds = false;
};

// So many rounds of every case and no look before the last.
Decider FixedRounds(int rounds);

// What measure::Measure() is given. Decider and display outlive the hooks.
measure::Hooks HooksOf(const Decider& decider, GateDisplay& display);

// Writes the session where the request asks for it.
void KeepSession(const MeasureRequest& request, const Session& session);

// Enters looks into the session's schedule, counted from `done` rounds that lie before it.
void ScheduleLooks(std::span<const stats::Look> looks, int done, Session& session);

// Enters a warning and says it at once.
void Warn(const std::string& warning, Session& session, GateDisplay& display);

}  // namespace perfgate::gate
