// SPDX-License-Identifier: Apache-2.0
// fixtures.h: the published tables and lists that the audit is accepted with.
#pragma once

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/audit/audit.h"
#include "perfgate/base/io/read_file.h"
#include "tests/support/arguments.h"

namespace perfgate::audit::fixtures {

using nlohmann::json;

// "tables/x.json" and the like, as known_findings.json writes them.
inline std::string path_of(const std::string& file) {
  const std::string data = perfgate::test_support::SourceFolder() + "/tests/data/";
  if (file.starts_with("parity/") || file.starts_with("audit/")) return data + file;
  return data + "audit/" + file;
}

inline std::vector<std::string> table_files(const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path_of("tables"))) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending) && name != "README.md") files.push_back("tables/" + name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The names in findings are the short ones.
inline AuditResult audit_files(const std::vector<std::string>& files) {
  AuditInput input;
  for (const std::string& file : files) read_audit_text(file, read_file_text(path_of(file)), input);
  return audit(input);
}

// "findings", "must_not_flag" or "mutations".
inline const json& known_findings(const std::string& part) {
  static const json document = json::parse(read_file_text(path_of("audit/known_findings.json")));
  return document.at(part);
}

// Whether a finding is at a place that known_findings.json names. Fields may be more or less exact:
// "gpu_need" and "gpu_need[0].cause".
inline bool is_at(const Finding& finding, const json& where) {
  if (finding.file != where.at("file").get<std::string>()) return false;
  const auto text = [&](const char* name) { return where.value(name, std::string()); };
  if (finding.row != where.value("row", 0) || finding.column != text("column") ||
      finding.claim != text("claim") || finding.commit != text("commit")) {
    return false;
  }
  const std::string field = text("field");
  return finding.field.starts_with(field) || field.starts_with(finding.field);
}

inline const Finding* found_at(const AuditResult& result, const json& where,
                               const std::string& kind) {
  for (const Finding& finding : result.findings) {
    if (is_at(finding, where) && (kind.empty() || word_of(finding.kind) == kind)) return &finding;
  }
  return nullptr;
}

}  // namespace perfgate::audit::fixtures
