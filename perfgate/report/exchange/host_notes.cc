// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/host_notes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/report/exchange/findings.h"
#include "perfgate/report/exchange/uri.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

using Json = nlohmann::ordered_json;

std::string CommandData(std::string_view text) {
  std::string data;
  for (const char c : escaped_controls(text))
    data += c == '%' ? std::string("%25") : std::string(1, c);
  return data;
}

// A property ends at a comma, and the properties at a colon.
std::string CommandProperty(std::string_view text) {
  std::string property;
  for (const char c : CommandData(text)) {
    property += c == ':' ? "%3A" : c == ',' ? "%2C" : std::string(1, c);
  }
  return property;
}

std::string AnnotationText(const char* command, const Finding& finding) {
  std::string text = std::string("::") + command + " ";
  if (!finding.place.file.empty()) {
    text += "file=" + CommandProperty(finding.place.file) +
            ",line=" + std::to_string(finding.place.line) + ",";
  }
  return text + "title=" + CommandProperty(finding.title) + "::" + CommandData(finding.message) +
         "\n";
}

std::string AnnotationsOf(const char* command, Severity severity,
                          const std::vector<Finding>& findings, std::size_t room) {
  std::string text;
  std::size_t shown = 0;
  std::size_t all = 0;
  for (const Finding& finding : findings) {
    if (finding.severity != severity) continue;
    ++all;
    if (shown == room) continue;
    ++shown;
    text += AnnotationText(command, finding);
  }
  if (all == shown) return text;
  return text + "::notice title=perfgate::" + counted(all - shown, std::string("more ") + command) +
         "; the report has all of them\n";
}

const char* QualitySeverity(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "major";
    case Severity::kWarning:
      return "minor";
    case Severity::kNote:
      break;
  }
  return "info";
}

Json QualityJson(const std::string& suite, const Finding& finding) {
  const bool placed = !finding.place.file.empty();
  return {{"description", finding.message},
          {"check_name", finding.rule},
          {"fingerprint", FingerprintOf(suite, finding)},
          {"severity", QualitySeverity(finding.severity)},
          {"location",
           {{"path", placed ? finding.place.file : suite},
            {"lines", {{"begin", placed ? finding.place.line : 1}}}}}};
}

}  // namespace

std::string GithubReport(std::span<const ReportedSuite> suites, const SourceLines& sources) {
  std::vector<Finding> findings;
  for (const ReportedSuite& suite : suites) {
    if (!suite.verdict) continue;
    const std::vector<Finding> of_suite = FindingsOf(suite.title, *suite.verdict, sources);
    findings.insert(findings.end(), of_suite.begin(), of_suite.end());
  }
  // The notices that count the others need room among the notices.
  constexpr std::size_t kRoomForNotices = kMostAnnotations - 3;
  return AnnotationsOf("error", Severity::kError, findings, kMostAnnotations) +
         AnnotationsOf("warning", Severity::kWarning, findings, kMostAnnotations) +
         AnnotationsOf("notice", Severity::kNote, findings, kRoomForNotices);
}

std::string GitlabReport(std::span<const ReportedSuite> suites, const SourceLines& sources) {
  Json list = Json::array();
  for (const ReportedSuite& suite : suites) {
    if (!suite.verdict) continue;
    for (const Finding& finding : FindingsOf(suite.title, *suite.verdict, sources)) {
      list.push_back(QualityJson(suite.title, finding));
    }
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::report
