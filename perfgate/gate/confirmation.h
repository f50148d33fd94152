// SPDX-License-Identifier: Apache-2.0
// confirmation.h: the second stage of a gate, over layouts.
#pragma once

#include <optional>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/attempts.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/request.h"
#include "perfgate/measure/plan.h"

namespace perfgate::gate {

// The cases of the first stage that go to the second are measured in fresh rounds, each of which
// runs a layout of each arm that no round before ran. The second stage has a separate budget and
// ledger entry. Once it has begun, later attempts go on with it and take the first stage as it
// was: a first stage that is repeated until it picks other cases would cost the gate its level.
class Confirmation {
 public:
  // plan: of the first stage; all outlive the object.
  Confirmation(const GateRequest& request, const measure::MeasurePlan& plan, GateDisplay& display);

  // The first stage of earlier attempts; none before.
  std::optional<Session> LinkStage() const { return attempts_.LinkStage(); }

  // Measures the second stage of `session` and adds it there. Where nothing has to be confirmed, or
  // the layouts cannot be linked or the budget is too small for them (said as a warning), the
  // session stays as it is.
  void Confirm(const SuiteVerdict& first, Session& session);

  // Enters the verdict on both stages into the ledger.
  void End(const Session& session, SuiteVerdict& verdict);

 private:
  bool HasLayouts(measure::MeasurePlan& plan, Session& session) const;
  std::optional<Session> MeasureStage(const measure::MeasurePlan& plan, Session& session);

  const GateRequest& request_;
  const measure::MeasurePlan& plan_;
  GateDisplay& display_;
  Attempts attempts_;
};

}  // namespace perfgate::gate
