// SPDX-License-Identifier: Apache-2.0
// import_samples.h: sample files of other tools, and shorthand for looking into what was read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/import/record.h"
#include "tests/support/arguments.h"

namespace perfgate::import {

inline std::string sample_path(const std::string& file) {
  return perfgate::test_support::SourceFolder() + "/tests/data/import/" + file;
}

inline std::string sample_bytes(const std::string& file) {
  return read_file_text(sample_path(file));
}

// What of it that must be there; the test fails where it is not.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

struct Refusal {
  Exit exit = Exit::kPass;
  std::string message;
};

// What `read` throws; Exit::kPass where it throws nothing.
template <class Read>
Refusal refusal(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return {error.exit(), error.what()};
  }
  return {};
}

inline std::vector<Record> records_of(const Document& document, const std::string& case_name,
                                      const std::string& metric = "",
                                      RecordKind kind = RecordKind::kSample) {
  std::vector<Record> found;
  std::copy_if(document.records.begin(), document.records.end(), std::back_inserter(found),
               [&](const Record& record) {
                 return record.case_name == case_name && record.kind == kind &&
                        (metric.empty() || record.metric.name == metric);
               });
  return found;
}

inline std::vector<double> values_of(const std::vector<Record>& records) {
  std::vector<double> values;
  for (const Record& record : records) values.push_back(record.value);
  return values;
}

// A record has a finite value exactly where it is ok, and says why where it is not.
inline void expect_consistent(const Document& document) {
  for (const Record& record : document.records) {
    EXPECT_EQ(record.status == Status::kOk, record.value - record.value == 0)
        << record.case_name << " " << record.metric.name;
    EXPECT_FALSE(record.case_name.empty());
    EXPECT_GE(record.iterations, 1);
    EXPECT_EQ(record.kind == RecordKind::kAggregate, !record.statistic.empty());
    EXPECT_TRUE(record.status != Status::kRejected || !record.detail.empty());
  }
}

}  // namespace perfgate::import
