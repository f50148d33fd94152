// SPDX-License-Identifier: Apache-2.0
// published.h: what lists print about changes that three arms were measured for, beside the
// measurements themselves.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/audit/read/finding.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::audit {

// One item of "perfgate-published-claims/1".
struct PublishedClaims {
  struct Model {
    std::string by;
    std::string name;
    bool cut = false;  // by the width of a column
  };
  std::string id;
  std::size_t index = 0;                            // in its file
  std::map<std::string, PrintedNumber> deltas_pct;  // per pair
  std::vector<std::string> outcomes;
  std::map<std::string, std::vector<std::string>> lists;
  std::vector<Model> models;

  // The first entry of a list, empty where there is none.
  std::string in(const std::string& list) const;
};

struct ClaimsFile {
  std::string file;
  std::vector<PublishedClaims> items;
};

// "perfgate-parity-commits/1": the measurements and what follows from them.
struct Fact {
  published::PublishedItem item;
  published::ItemAnswer answer;
  std::size_t index = 0;

  bool measured(published::Arm arm) const;  // in a measurement that still counts
  int measured_arms() const;
};

struct FactsFile {
  std::string file;
  std::vector<Fact> items;
};

// Both throw Error(kData) with the pointer for another structure and Error(kInvalid) for ids that
// stand twice. A stated number of items that is not the list's, and a metric whose direction is the
// wrong way round, become findings; the rest is judged with the right ones.
ClaimsFile read_claims_file(const nlohmann::json& document, const std::string& file,
                            std::vector<Finding>& findings);
FactsFile read_facts_file(nlohmann::json document, const std::string& file,
                          std::vector<Finding>& findings);

const Fact* find_fact(const std::vector<FactsFile>& files, const std::string& id,
                      std::string* file = nullptr);

Finding at_commit(const std::string& file, std::size_t index, const std::string& id,
                  const std::string& field);

}  // namespace perfgate::audit
