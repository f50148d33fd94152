// SPDX-License-Identifier: Apache-2.0
// report_forms.h: the forms of a report by their names.
#pragma once

#include <string>
#include <vector>

#include "perfgate/cli/reporting/report_files.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::cli {

struct FormRequest {
  std::string format = "console";
  std::string title{};    // of an HTML page; empty: the names of the suites
  std::string sources{};  // folder of the benchmarks' sources, for forms that show them
  report::ConsoleOptions console{};
};

// "console", "md", and the forms for programs and papers, which show suites only.
std::vector<std::string> ReportFormats();

// Whether findings stand at lines of sources in this form.
bool ShowsSources(const std::string& format);

// Error(kUsage) where the form does not show a file.
std::string ReportText(ReportedFiles files, const FormRequest& request);

}  // namespace perfgate::cli
