// SPDX-License-Identifier: Apache-2.0
// distributions.h: the calls of each round, pooled, and what they say of their distribution
// (evidence/metrics/distribution.h).
//
// Only samples of one call each count: a mean over many iterations hides the slow ones.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

class Distributions {
 public:
  // The next round that add() is given begins; rounds are counted from 0.
  void begin_round() { rounds_.emplace_back(); }

  // The calls of a sample of a time. metric: of the session.
  void add(std::size_t round, std::size_t case_index, std::size_t metric, const Record& record);

  // Summaries of that metric that a file names beyond the usual ones: "p90".
  void add_word(const std::string& metric_name, const std::string& word);

  // Adds the metrics and their values to the session, one value a round, and takes those out of
  // the judgement that say how many calls there were.
  void enter(Session& session) const;

 private:
  using Key = std::pair<std::size_t, std::size_t>;  // case and metric

  struct Calls {
    std::vector<double> values;
    bool spoiled = false;  // some sample is a mean or was rejected
  };

  std::vector<std::map<Key, Calls>> rounds_;
  std::map<std::string, std::set<std::string>> words_;
};

}  // namespace perfgate::import
