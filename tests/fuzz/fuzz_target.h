// SPDX-License-Identifier: Apache-2.0
// fuzz_target.h: what every fuzz target holds a reader to.
//
// A reader returns or throws Error; nothing else may leave it. What it returns keeps the promises
// of record.h, and what becomes a session is written and read back the same.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/import/record.h"
#include "perfgate/import/to_session.h"

namespace perfgate::fuzz {

inline void require(bool promise) {
  if (!promise) std::abort();
}

template <class Read>
void expect_only_errors(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    require(error.exit() != Exit::kPass && error.exit() != Exit::kInternal);
    require(!std::string(error.what()).empty());
  }
}

inline void check_document(const import::Document& document) {
  for (const import::Record& record : document.records) {
    require((record.status == import::Status::kOk) == std::isfinite(record.value));
    require(!record.case_name.empty() && record.iterations >= 1);
    if (record.status == import::Status::kOk && is_relative(record.metric.kind)) {
      require(record.value > 0);
    }
  }
  const Session session = import::to_session({&document, 1}, {});
  const std::string text = session_to_json(session);
  require(session_to_json(session_from_json(text, "session.json")) == text);
}

}  // namespace perfgate::fuzz
