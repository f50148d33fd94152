// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/ci/ci_summary.h"

#include <cerrno>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"
#include "perfgate/ci/post/comment_body.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/text/markdown.h"

namespace perfgate::cli {
namespace {

std::string WithoutGate(const ci::CiResult& result) {
  std::string text = "Exit " + std::to_string(static_cast<int>(result.exit)) + ", " +
                     std::string(report::exit_meaning(result.exit)) + ": " +
                     report::markdown_text(result.trouble) + "\n\n";
  for (const std::string& line : result.log) text += "- " + report::markdown_code(line) + "\n";
  for (const std::string& name : result.new_cases) {
    text += "- " + report::markdown_code(name) + ": new\n";
  }
  return text;
}

}  // namespace

std::string CiSummary(const ci::CiResult& result) {
  std::string text = "### perfgate\n\n";
  text += result.verdict ? report::markdown_report({&*result.verdict, 1}) : WithoutGate(result);
  if (!result.base.empty()) text += "\nBase: " + report::markdown_text(result.base) + "\n";
  return text;
}

void AppendSummary(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  constexpr std::size_t kMost = 1000 * 1000;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << ci::CutAtLine(text, kMost) << "\n";
  file.flush();
  if (!file) throw Error(Exit::kData, "cannot write " + path + ": " + SystemReason(errno));
}

}  // namespace perfgate::cli
