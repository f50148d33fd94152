// SPDX-License-Identifier: Apache-2.0
// engine_wrap.h: what goes around the ops of the engines of the suite: nothing, but in the builds
// of the suite that test whether a slowed stage and a wrong answer are found (tests/e2e).
#pragma once

#include "engine/decode/engine.h"
#include "suites/engine/engine_cases.h"

namespace suites {

engine::WrapOps WrapOfSuite(const EngineCase& c);

}  // namespace suites
