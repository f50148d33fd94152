// SPDX-License-Identifier: Apache-2.0
// list_arms.h: what the arms of a session offer, and how each will be driven.
#pragma once

#include "perfgate/measure/schedule/context.h"

namespace perfgate::measure {

// Lists every arm of context.plan and fills context.listings, matched and drivers and the session's
// cases, metrics, arms, warnings and faults. An arm that cannot be listed has its failure entered
// for every case that the others have, or for one case that stands for the whole executable.
void list_arms(Context& context, Session& session);

}  // namespace perfgate::measure
