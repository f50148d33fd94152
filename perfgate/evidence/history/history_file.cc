// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/history/history.h"
#include "perfgate/evidence/history/history_fields.h"

namespace perfgate::inline evidence {
namespace {

void CheckSeries(const HistorySeries& series, const std::string& pointer,
                 const std::string& where) {
  if (series.points.empty()) contradict(where, pointer + "/points", "a series has points");
  int last = 0;
  for (std::size_t i = 0; i < series.changes.size(); ++i) {
    const HistoryChange& change = series.changes[i];
    const std::string here = pointer + "/changes/" + std::to_string(i);
    if (change.index <= last || std::cmp_greater_equal(change.index, series.points.size())) {
      contradict(where, here + "/index", "changes ascend and lie between two points");
    }
    if (change.range_lo > change.index || change.range_hi < change.index ||
        std::cmp_greater_equal(change.range_hi, series.points.size())) {
      contradict(where, here + "/range_lo", "the range holds the index and ends with the points");
    }
    last = change.index;
  }
}

}  // namespace

std::string history_to_json(const History& history) { return write_format(history); }

History history_from_json(std::string_view text, const std::string& where) {
  auto history = read_format<History>(text, where);
  UniqueNames names;
  for (std::size_t i = 0; i < history.series.size(); ++i) {
    const HistorySeries& series = history.series[i];
    const std::string pointer = "/series/" + std::to_string(i);
    names.add(where, pointer,
              series.machine_class + "\n" + series.suite + "\n" + series.case_name + "\n" +
                  series.metric.name);
    CheckSeries(series, pointer, where);
  }
  return history;
}

History read_history(const std::string& path) {
  return history_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
