// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/troubles.h"

#include <algorithm>
#include <iterator>

namespace perfgate::import {
namespace {

FaultKind fault_kind(Status status) {
  switch (status) {
    case Status::kSkipped:
      return FaultKind::kSkipped;
    case Status::kTimeout:
      return FaultKind::kTimeout;
    case Status::kMissing:
      return FaultKind::kAbsent;
    case Status::kUnmeasured:
      return FaultKind::kUnmeasured;
    case Status::kRejected:
      return FaultKind::kBadValue;
    case Status::kOk:
    case Status::kFailed:
      break;
  }
  return FaultKind::kError;
}

// ", row 7", ", rows 7, 8, 9 and others"
std::string rows_text(const std::vector<std::size_t>& rows) {
  constexpr std::size_t kMost = 3;
  if (rows.empty()) return "";
  std::string text = rows.size() > 1 ? ", rows " : ", row ";
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(rows[i]);
  }
  return rows.size() > kMost ? text + " and others" : text;
}

}  // namespace

std::string row_of(const Document& document, const Record& record) {
  if (record.row == 0) return document.name;
  return document.name + ", row " + std::to_string(record.row);
}

void Troubles::add(const Document& document, const Record& record, std::size_t case_index,
                   std::size_t round, const std::string& metric) {
  const Fault fault{.case_index = case_index,
                    .arm = 0,
                    .round = static_cast<int>(round),
                    .kind = fault_kind(record.status),
                    .detail = "",
                    .metric = metric};
  // What belongs together is close together; a file of nothing but failures is no reason to compare
  // each with all.
  constexpr std::ptrdiff_t kNear = 16;
  const auto near = troubles_.end() - std::min<std::ptrdiff_t>(std::ssize(troubles_), kNear);
  auto known = std::find_if(near, troubles_.end(), [&](const Trouble& other) {
    return other.fault.case_index == fault.case_index && other.fault.round == fault.round &&
           other.fault.kind == fault.kind && other.fault.metric == metric &&
           other.detail == record.detail;
  });
  if (known == troubles_.end()) {
    known = troubles_.insert(
        known,
        {.fault = fault, .file = document.name, .detail = record.detail, .rows = {}, .count = 0});
  }
  ++known->count;
  const bool new_row = known->rows.empty() || known->rows.back() != record.row;
  if (record.row > 0 && new_row) known->rows.push_back(record.row);
}

std::vector<Fault> Troubles::faults() const {
  std::vector<Fault> faults;
  for (const Trouble& trouble : troubles_) {
    Fault fault = trouble.fault;
    fault.detail = trouble.file + rows_text(trouble.rows);
    if (trouble.count > 1) fault.detail += " (" + std::to_string(trouble.count) + " values)";
    if (!trouble.detail.empty()) fault.detail += ": " + trouble.detail;
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace perfgate::import
