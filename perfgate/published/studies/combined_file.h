// SPDX-License-Identifier: Apache-2.0
// combined_file.h: a file that holds all arms of one commit, which ran in one job.
//
// The arms are objects ("results": {"human": {...}}), or one object of metrics each
// ("human_metrics": {...}), in the file itself or in its "result". "instance" describes the commit.
#pragma once

#include <string>

#include "perfgate/published/studies/result_fields.h"

namespace perfgate::published {

// Throws Error where the file cannot be read or believed. `path` is for messages and for the arms.
StudyRecord ReadCombined(const JsonCursor& root, const std::string& id, StudyReading& reading);

// Whether the document holds arms; otherwise it is one arm's own.
bool HoldsArms(const JsonCursor& root);

}  // namespace perfgate::published
