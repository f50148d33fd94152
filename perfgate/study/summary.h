// SPDX-License-Identifier: Apache-2.0
// summary.h: the records of all tasks as a population, as results and as a report.
#pragma once

#include "perfgate/study/study.h"

namespace perfgate::study {

// Reads one record after the other and writes population.json, results.json and report.md.
StudyResult WriteSummary(const StudyRequest& request);

}  // namespace perfgate::study
