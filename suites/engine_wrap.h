// SPDX-License-Identifier: Apache-2.0
// engine_wrap.h: what goes around the ops of every engine of the suite: nothing, but in the build
// of the suite that tests whether a slowed stage is found (tests/e2e).
#pragma once

#include "engine/engine.h"

namespace suites {

engine::WrapOps WrapOfSuite();

}  // namespace suites
