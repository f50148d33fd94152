// SPDX-License-Identifier: Apache-2.0
// audit_report.h: the findings of an audit for a terminal, a pull request and a program.
#pragma once

#include <string>

#include "perfgate/audit/read/finding.h"

namespace perfgate::report {

// At most 100 columns: worst first, one block per finding, then what was checked.
std::string audit_console_report(const audit::AuditResult& result, bool color);

std::string audit_markdown_report(const audit::AuditResult& result);

// {"format": "perfgate-audit-report", "version": 1, "findings": [...], "checked": {...}}
std::string audit_json_report(const audit::AuditResult& result);

}  // namespace perfgate::report
