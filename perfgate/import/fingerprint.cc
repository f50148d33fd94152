// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/base/error.h"

namespace perfgate::import {
namespace {

std::vector<NamedValue> as_list(const std::optional<Fields>& fields) {
  std::vector<NamedValue> list;
  if (!fields) return list;
  for (const auto& [name, value] : *fields) list.push_back({name, value});
  return list;
}

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

void add_known(const std::vector<NamedValue>& known, const std::string& what,
               const std::string& file, Fields& fields) {
  for (const auto& [name, value] : known) {
    const auto [entry, added] = fields.emplace(name, value);
    if (!added && entry->second != value) {
      throw Error(Exit::kInvalid,
                  fmt::format("{}: {} {} is {} in the file and {} in the manifest", file, name,
                              what, Quoted(entry->second), Quoted(value)));
    }
  }
}

}  // namespace

void apply_manifest(const Manifest& manifest, Document& document) {
  for (const auto& [name, value] : manifest.required) {
    const auto found = document.environment.find(name);
    if (found != document.environment.end() && found->second == value) continue;
    throw Error(Exit::kInvalid, document.name + ": the manifest requires " + name + " = " +
                                    Quoted(value) + " of the file, which has " +
                                    (found == document.environment.end() ? "no such field"
                                                                         : Quoted(found->second)) +
                                    "; it is not of this run");
  }
  add_known(manifest.environment, "of the environment", document.name, document.environment);
  for (const Record& record : document.records) document.workload[record.case_name];
  for (auto& [case_name, fields] : document.workload) {
    add_known(manifest.workload, "of " + Quoted(case_name), document.name, fields);
  }
}

void MergedEnvironment::add(const Fields& fields, const std::string& file,
                            std::vector<std::string>& warnings) {
  if (!merged_) {
    merged_ = fields;
    return;
  }
  std::erase_if(*merged_, [&](const auto& field) {
    const auto found = fields.find(field.first);
    if (found != fields.end() && found->second == field.second) return false;
    warnings.push_back("environment: " + field.first + " is " + Quoted(field.second) + ", but in " +
                       file + " " +
                       (found == fields.end() ? "it is absent" : "it is " + Quoted(found->second)) +
                       "; it describes no round and is left out");
    return true;
  });
}

std::vector<NamedValue> MergedEnvironment::fields() const { return as_list(merged_); }

void MergedWorkload::add(const std::string& case_name, const Fields& fields,
                         const std::string& file, std::vector<std::string>& warnings) {
  if (!merged_) {
    merged_ = fields;
    return;
  }
  for (const auto& [name, value] : *merged_) {
    if (!fields.contains(name)) {
      warnings.push_back(fmt::format("{}: {} is not in {}", Quoted(case_name), name, file));
    }
  }
  for (const auto& [name, value] : fields) {
    const auto [entry, added] = merged_->emplace(name, value);
    if (!added && entry->second != value) {
      throw Error(Exit::kNotComparable,
                  fmt::format("{}: {} has {} {}, and {} in another file; rounds of one arm run the "
                              "same",
                              file, Quoted(case_name), name, Quoted(value), Quoted(entry->second)));
    }
  }
}

std::vector<NamedValue> MergedWorkload::fields() const { return as_list(merged_); }

std::optional<std::string> MergedWorkload::value(const std::string& name) const {
  if (!merged_) return std::nullopt;
  const auto found = merged_->find(name);
  return found == merged_->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace perfgate::import
