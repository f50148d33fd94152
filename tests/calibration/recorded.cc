// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/recorded.h"

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"

namespace perfgate::calibration {

Session joined(const std::vector<std::string>& files) {
  Session all;
  for (const std::string& file : files) {
    const Session session = read_session(file);
    if (session.arms.size() != 2) throw Error(Exit::kData, file + ": not a session of two arms");
    if (all.arms.empty()) {
      all = session;
      continue;
    }
    const bool same = session.arms[0].digest == all.arms[0].digest &&
                      session.arms[1].digest == all.arms[1].digest &&
                      session.cases.size() == all.cases.size();
    if (!same) throw Error(Exit::kData, file + ": other executables or cases than the first file");
    all.wall_s += session.wall_s;
    all.rounds.insert(all.rounds.end(), session.rounds.begin(), session.rounds.end());
    all.faults.insert(all.faults.end(), session.faults.begin(), session.faults.end());
  }
  return all;
}

}  // namespace perfgate::calibration
