// SPDX-License-Identifier: Apache-2.0
// audit.h: reads published files and recomputes what can be recomputed.
//
//   AuditInput input;
//   for (const std::string& file : files) read_audit_file(file, input);
//   const AuditResult result = audit(input);
//
// Files that belong together are audited together: claims may refer to another table, and published
// outcomes to the measurements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/audit/published.h"
#include "perfgate/audit/read/finding.h"
#include "perfgate/audit/read/markdown_reader.h"

namespace perfgate::audit {

struct AuditInput {
  std::vector<Table> tables;
  std::vector<MarkdownDocument> documents;
  std::vector<FactsFile> facts;
  std::vector<ClaimsFile> claims;
  std::vector<Finding> found_reading;
};

// Files ending in .md or .markdown are Markdown, everything else is JSON: a table, a list of
// records, measurements of three arms, or what was published about them. Error(kData) for what is
// neither.
void read_audit_file(const std::string& file, AuditInput& input);
// The same from memory.
void read_audit_text(const std::string& file, std::string_view text, AuditInput& input);

AuditResult audit(const AuditInput& input);

}  // namespace perfgate::audit
