// SPDX-License-Identifier: Apache-2.0
// troubles.h: records without a value, as faults of a session.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

// "results.json, row 7"
std::string row_of(const Document& document, const Record& record);

// Tells the same trouble in several values of one case and round once, with their rows.
class Troubles {
 public:
  // metric: the one that is concerned; empty for the whole case.
  void add(const Document& document, const Record& record, std::size_t case_index,
           std::size_t round, const std::string& metric);

  std::vector<Fault> faults() const;

 private:
  struct Trouble {
    Fault fault;
    std::string file;
    std::string detail;             // the tool's
    std::vector<std::size_t> rows;  // without repeats
    std::size_t count = 0;
  };

  std::vector<Trouble> troubles_;
};

}  // namespace perfgate::import
