// SPDX-License-Identifier: Apache-2.0
// job_session.h: what a job of a fleet has measured.
#pragma once

#include <string>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// A job's session and the file that it is in, for messages.
struct JobSession {
  std::string file;
  Session session;
};

}  // namespace perfgate::inline verdict
