// SPDX-License-Identifier: Apache-2.0
// fingerprint.h: what several files of one arm say of the workload and the environment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/import/manifest.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

// Adds what the manifest knows. Error(kInvalid) where the file says otherwise, or lacks what the
// manifest requires of the file itself.
void apply_manifest(const Manifest& manifest, Document& document);

// A field that differs between files, or that some lack, describes none of them: it is left out,
// with a warning, and its absence then shows when arms are compared.
class MergedEnvironment {
 public:
  void add(const Fields& fields, const std::string& file, std::vector<std::string>& warnings);
  std::vector<NamedValue> fields() const;

 private:
  std::optional<Fields> merged_;
};

// Rounds of one case must have run the same: Error(kNotComparable) names what differs.
class MergedWorkload {
 public:
  void add(const std::string& case_name, const Fields& fields, const std::string& file,
           std::vector<std::string>& warnings);
  std::vector<NamedValue> fields() const;
  std::optional<std::string> value(const std::string& name) const;

 private:
  std::optional<Fields> merged_;
};

}  // namespace perfgate::import
