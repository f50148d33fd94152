// SPDX-License-Identifier: Apache-2.0
// to_session.h: foreign files of one arm as one session.
//
// Every file, and within a file every launch it tells apart, is a round; the files must be of one
// format and each given once. Failures become faults. Metrics that only exist as aggregates are
// named "<metric>_<statistic>" and listed in the case's `aggregates`.
#pragma once

#include <span>
#include <string>

#include "perfgate/evidence/session.h"
#include "perfgate/import/manifest.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

struct SessionOptions {
  std::string arm = "candidate";
  std::string suite;
  std::string importer;  // "perfgate 0.1.0"
  // Goes into the session. Its `metrics` declare counters that are decided on although nothing in a
  // file says what they mean.
  Policy policy;
  Manifest manifest;
};

// Error(kInvalid): a file given twice, a metric with two units, a file against the manifest.
// Error(kNotComparable): a case that ran differently in two files. Error(kUsage): files of several
// formats. Error(kData): no result at all.
Session to_session(std::span<const Document> documents, const SessionOptions& options);

}  // namespace perfgate::import
