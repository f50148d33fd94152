// SPDX-License-Identifier: Apache-2.0
// bundle_texts.h: what a bundle of evidence holds beside the evidence: where it was measured, what
// may be claimed, and the script that makes every table again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "perfgate/report/suites/reported_suite.h"

namespace perfgate::report {

// Machine, arms, policy, schedule and command of every suite, as JSON.
std::string EnvironmentJson(std::span<const ReportedSuite> suites, const std::string& tool);

// Per suite its claim sentences, the geometric means and the command.
std::string ClaimsText(std::span<const ReportedSuite> suites);

// One table and the command that makes it.
struct BundledTable {
  std::string file;    // "tables/report.csv"
  std::string format;  // of `perfgate report`
};

struct BundledEvidence {
  std::vector<std::string> all;     // paths in the bundle, as report reads them
  std::vector<std::string> suites;  // of them, those that show suites
  std::string title;                // of the page
};

// POSIX shell: checks the digests, makes every table and compares it with the one in the bundle,
// then judges each session anew. Exits 1 where something differs.
std::string ReproduceScript(const BundledEvidence& evidence, std::span<const BundledTable> tables,
                            const std::vector<std::string>& judged_sessions);

// What the folder is, for people.
std::string BundleReadme(std::span<const ReportedSuite> suites, const std::string& tool);

}  // namespace perfgate::report
