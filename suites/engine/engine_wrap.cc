// SPDX-License-Identifier: Apache-2.0
#include "suites/engine/engine_wrap.h"

namespace suites {

engine::WrapOps WrapOfSuite(const EngineCase& /*unused*/) { return {}; }

}  // namespace suites
