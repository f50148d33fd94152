// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/recorded_fields.h"
#include "perfgate/evidence/machine_class.h"

namespace perfgate::inline evidence {
namespace {

void check_recorded(const RecordedSession& session, const std::string& where) {
  UniqueNames metrics;
  for (std::size_t i = 0; i < session.metrics.size(); ++i) {
    metrics.add(where, "/metrics/" + std::to_string(i) + "/name", session.metrics[i].name);
  }
  const std::string expected_class = machine_class(class_fields(session.machine));
  if (session.machine_class != expected_class) {
    contradict(where, "/machine_class",
               "is \"" + session.machine_class + "\", but the fields of /machine give \"" +
                   expected_class + "\"");
  }
  const auto rounds = static_cast<std::size_t>(session.rounds);
  UniqueNames cases;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const RecordedCase& info = session.cases[c];
    const std::string pointer = "/cases/" + std::to_string(c);
    cases.add(where, pointer + "/name", info.name);
    require_size(where, pointer + "/values", info.values.size(), session.metrics.size(),
                 "one per metric");
    for (std::size_t m = 0; m < info.values.size(); ++m) {
      const std::string values = pointer + "/values/" + std::to_string(m);
      require_size(where, values, info.values[m].size(), rounds, "one per round");
      for (std::size_t r = 0; r < rounds; ++r) {
        if (is_relative(session.metrics[m].kind) && info.values[m][r] <= 0) {
          contradict(where, values + "/" + std::to_string(r), "must be above 0; absent is null");
        }
      }
    }
  }
  require_size(where, "/reference", session.reference.size(), session.reference_names.size(),
               "one per name");
  for (std::size_t i = 0; i < session.reference.size(); ++i) {
    require_size(where, "/reference/" + std::to_string(i), session.reference[i].size(), rounds,
                 "one per round");
  }
}

}  // namespace

std::string recorded_to_json(const RecordedSession& session) { return write_format(session); }

RecordedSession recorded_from_json(std::string_view text, const std::string& where) {
  auto session = read_format<RecordedSession>(text, where);
  check_recorded(session, where);
  return session;
}

}  // namespace perfgate::inline evidence
