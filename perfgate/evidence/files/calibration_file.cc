// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/calibration_fields.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::inline evidence {
namespace {

void check_calibration(const Calibration& calibration, const std::string& where) {
  if (calibration.launch_s > calibration.round_s) {
    contradict(where, "/launch_s", "is longer than round_s, of which it is a part");
  }
  UniqueNames columns;
  for (std::size_t i = 0; i < calibration.columns.size(); ++i) {
    const CalibratedColumn& column = calibration.columns[i];
    const std::string pointer = "/columns/" + std::to_string(i);
    columns.add(where, pointer, column.case_name + " " + column.metric.name);
    if (column.d.size() != static_cast<std::size_t>(calibration.rounds)) {
      contradict(where, pointer + "/d",
                 "has " + std::to_string(column.d.size()) + " elements, expected " +
                     std::to_string(calibration.rounds) + ": one per round");
    }
    if (is_relative(column.metric.kind) && column.value <= 0) {
      contradict(where, pointer + "/value", "is not positive, as a time or a rate must be");
    }
  }
}

}  // namespace

std::string calibration_to_json(const Calibration& calibration) {
  return write_format(calibration);
}

Calibration calibration_from_json(std::string_view text, const std::string& where) {
  auto calibration = read_format<Calibration>(text, where);
  check_calibration(calibration, where);
  return calibration;
}

void write_calibration(const std::string& path, const Calibration& calibration) {
  write_file_atomically(path, calibration_to_json(calibration));
}

Calibration read_calibration(const std::string& path) {
  return calibration_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
