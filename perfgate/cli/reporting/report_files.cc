// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/reporting/report_files.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "perfgate/base/io/input_file.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/parity/parity_agents.h"

namespace perfgate::cli {
namespace {

// The session of a verdict is kept beside it: it has the rounds.
void DecideAnew(const std::string& file, Session session, ReportedFiles& loaded) {
  if (session.arms.size() >= kParityArms.size()) {
    loaded.parities.push_back(DecideParityAgents(session));
    return;
  }
  loaded.suites.verdicts.push_back({file, decide(session)});
  loaded.suites.sessions.push_back({file, std::move(session)});
}

// A result file of another tool, which a file of perfgate's own is told from by its `format`.
bool IsForeign(const std::string& file) {
  constexpr std::size_t kHead = 200;
  if (!gate::NamesResults(file)) return false;
  if (ReadInputHead(file, kHead).find("\"perfgate-") != std::string::npos) return false;
  if (!std::filesystem::is_regular_file(file)) return true;
  // Our own writer puts `format` first; whoever wrote the file again may have sorted its fields.
  const auto document = nlohmann::json::parse(ReadInputFile(file, kResultFile), nullptr, false);
  return !document.is_object() || !document.value("format", nlohmann::json()).is_string() ||
         !document["format"].get<std::string>().starts_with("perfgate-");
}

// Only a verdict says which change it is about.
void RequireNothingAsked(const VerdictAsked& asked, const std::string& file) {
  if (asked.change.empty() && asked.repository.empty() && asked.suite.empty()) return;
  throw Error(Exit::kUsage, file +
                                " is no verdict, and --change, --repository and --suite ask for "
                                "the verdict on something: leave them out for this file");
}

}  // namespace

ReportedFiles ReadReportedFiles(const ReportRequest& request) {
  ReportedFiles loaded;
  const std::optional<SecretKey> key = KeyOf(request.key);
  const SecretKey* signer = key ? &*key : nullptr;
  const MetricRegistry registry = read_metrics(request.metrics);
  bool any_foreign = false;
  for (const std::string& file : request.files) {
    if (IsForeign(file)) {
      RequireNothingAsked(request.asked, file);
      if (signer != nullptr) RequireSignature(ReadInputFile(file, kResultFile), file, signer);
      loaded.suites.sessions.push_back(
          {file, gate::ReadResults(file, "results", "", {}, registry)});
      any_foreign = true;
      continue;
    }
    const std::string format = file_format(file);
    if (format == "verdict") {
      loaded.suites.verdicts.push_back({file, ReadVerdict(file, signer, request.asked)});
      continue;
    }
    if (signer != nullptr) RequireSignature(ReadInputFile(file, kAnyEvidence), file, signer);
    RequireNothingAsked(request.asked, file);
    if (format == "parity") {
      loaded.parities.push_back(ReadParityFile(file));
    } else if (format == "comparison") {
      loaded.comparisons.push_back(read_alternatives(file));
    } else if (format == "session" && request.decide) {
      DecideAnew(file, read_session(file, signer), loaded);
    } else if (format == "session") {
      loaded.suites.sessions.push_back({file, read_session(file, signer)});
    } else if (format == "calibration") {
      loaded.suites.calibrations.push_back({file, read_calibration(file)});
    } else if (format == "plan") {
      loaded.plans.push_back(read_plan(file));
    } else {
      throw Error(Exit::kData,
                  std::string(file).append(" is a ").append(format).append(
                      " file; report reads verdicts, parity verdicts, comparisons, sessions, "
                      "calibrations and plans"));
    }
  }
  if (!any_foreign && !request.metrics.empty()) {
    throw Error(Exit::kUsage,
                "--metrics says what names in files of other tools mean, and none is read here");
  }
  return loaded;
}

}  // namespace perfgate::cli
