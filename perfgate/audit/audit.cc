// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/audit.h"

#include <algorithm>
#include <utility>

#include "perfgate/audit/check/claim_checks.h"
#include "perfgate/audit/check/published_checks.h"
#include "perfgate/audit/check/table_checks.h"
#include "perfgate/audit/infer/table_relations.h"
#include "perfgate/audit/read/table_json.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/evidence/files/input_kinds.h"

namespace perfgate::audit {
namespace {

using nlohmann::json;

void read_json(const std::string& file, const json& document, AuditInput& input) {
  if (is_record_list(document)) {
    input.tables.push_back(read_record_list(document, file));
    return;
  }
  const std::string format =
      document.is_object() && document.contains("format") && document["format"].is_string()
          ? document["format"].get<std::string>()
          : "";
  if (format == "perfgate-table/1") {
    input.tables.push_back(read_table_json(document, file, input.found_reading));
  } else if (format == "perfgate-parity-commits/1") {
    input.facts.push_back(read_facts_file(document, file, input.found_reading));
  } else if (format == "perfgate-published-claims/1") {
    input.claims.push_back(read_claims_file(document, file, input.found_reading));
  } else {
    throw Error(
        Exit::kData,
        file + ": /format: " +
            (format.empty() ? "no format" : "\"" + format + "\" is nothing that can be audited") +
            "; expected \"perfgate-table/1\", \"perfgate-parity-commits/1\", "
            "\"perfgate-published-claims/1\", a list of flat records, or Markdown (.md)");
  }
}

bool same_place(const Finding& a, const Finding& b) {
  return a.file == b.file && a.line == b.line && a.pointer == b.pointer && a.row == b.row &&
         a.column == b.column && a.claim == b.claim && a.commit == b.commit && a.field == b.field &&
         a.kind == b.kind && a.recomputed == b.recomputed;
}

}  // namespace

void read_audit_text(const std::string& file, std::string_view text, AuditInput& input) {
  const std::string name = lower(file);
  if (name.ends_with(".md") || name.ends_with(".markdown")) {
    MarkdownDocument document = read_markdown(text, file, input.found_reading);
    for (const Table& table : document.tables) input.tables.push_back(table);
    input.documents.push_back(std::move(document));
  } else {
    read_json(file, parse_strict_json(text, file), input);
  }
}

void read_audit_file(const std::string& file, AuditInput& input) {
  read_audit_text(file, ReadInputFile(file, kResultFile), input);
}

AuditResult audit(const AuditInput& input) {
  AuditResult result;
  result.findings = input.found_reading;
  for (const Table& table : input.tables) {
    ++result.checked.tables;
    check_structure(table, result);
    check_relations(table, result);
    check_intervals(table, result);
    check_outcomes(table, result);
    check_claims(table, input.tables, result);
  }
  check_across(input.tables, result);
  for (const FactsFile& facts : input.facts) check_facts(facts, result);
  for (const ClaimsFile& claims : input.claims) {
    check_published_results(claims, input.facts, result);
    check_published_lists(claims, input.facts, result);
  }
  for (const MarkdownDocument& document : input.documents) check_document(document, result);
  std::stable_sort(result.findings.begin(), result.findings.end(), before);
  const auto last = std::unique(result.findings.begin(), result.findings.end(), same_place);
  result.findings.erase(last, result.findings.end());
  return result;
}

}  // namespace perfgate::audit
