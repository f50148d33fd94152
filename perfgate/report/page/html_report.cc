// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/html_report.h"

#include <fmt/format.h>

#include "perfgate/base/text/join.h"
#include "perfgate/report/page/page_parts.h"
#include "perfgate/report/page/page_style.h"
#include "perfgate/report/page/suite_section.h"
#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

std::string PageTitle(std::span<const ReportedSuite> suites, const std::string& title) {
  if (!title.empty()) return title;
  constexpr std::size_t kMostNames = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNames, suites.size()); ++i)
    AppendItem(names, suites[i].title);
  if (suites.size() > kMostNames) names += ", ...";
  return names.empty() ? "perfgate" : "perfgate: " + names;
}

std::string ContentsHtml(std::span<const ReportedSuite> suites) {
  if (suites.size() < 2) return "";
  std::string text = "<nav><ul class=\"suites\">\n";
  for (std::size_t i = 0; i < suites.size(); ++i) {
    text +=
        fmt::format("<li class=\"{}\"><a href=\"#s{}\">{}</a>: {}</li>\n", SuiteTone(suites[i]),
                    i + 1, IsolatedText(suites[i].title), MarkupText(SuiteConclusion(suites[i])));
  }
  return text + "</ul></nav>\n";
}

}  // namespace

std::string HtmlReport(std::span<const ReportedSuite> suites, const std::string& title) {
  const std::string name = MarkupText(PageTitle(suites, title));
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n<title>" +
      name + "</title>\n<style>" + std::string(PageStyle()) + "</style></head>\n<body>\n<h1>" +
      name + "</h1>\n";
  if (suites.empty()) text += ElementOf("p", "No file shows a suite.");
  text += ContentsHtml(suites);
  for (std::size_t i = 0; i < suites.size(); ++i) text += SuiteSectionHtml(suites[i], i + 1);
  return text + "</body></html>\n";
}

}  // namespace perfgate::report
