// SPDX-License-Identifier: Apache-2.0
// population_record.h: one commit of the population file, and how a newer record changes it.
// population.h has the rules.
#pragma once

#include <nlohmann/json.hpp>

#include "perfgate/published/studies/study.h"

namespace perfgate::published {

nlohmann::json EmptyRecord(const nlohmann::json& id);
nlohmann::json RecordJson(const StudyRecord& record, Layout layout);
void FoldRecord(nlohmann::json& record, const nlohmann::json& incoming, bool rerun);

inline bool IsReplaced(const nlohmann::json& measurement) {
  return measurement.contains("replaced_by") && !measurement["replaced_by"].is_null();
}

}  // namespace perfgate::published
