// SPDX-License-Identifier: Apache-2.0
// population.h: the population file, "perfgate-parity-commits/1", made of what studies hold.
//
// It is kept as JSON, so that fields which perfgate does not read survive an update.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/published/studies/study.h"

namespace perfgate::published {

nlohmann::json EmptyPopulation();

// A file that is to be updated. Error as published_from_json.
nlohmann::json PopulationFromJson(std::string_view text, const std::string& where);

// Adds all sources, reruns after everything else, each in the order given. The rules:
// - a record that says the same as before changes nothing;
// - another value of the same source and metric replaces the older measurement, which stays with
//   the mark `replaced_by`;
// - a rerun replaces every older measurement that holds an arm which it measured. Arms that it did
//   not run keep their values where the metric and the unit are the same; such a measurement is no
//   shared run;
// - an arm that failed or cannot be read replaces no value; its error is added.
void AddStudies(nlohmann::json& population, const std::vector<Study>& studies);

// Adds the records of another population file by the same rules.
void AddPopulation(nlohmann::json& population, const nlohmann::json& other);

// Normalised: commits by id, measurements by source, metric and unit, fields in a fixed order.
std::string PopulationText(const nlohmann::json& population);

}  // namespace perfgate::published
