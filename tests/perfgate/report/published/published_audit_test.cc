// SPDX-License-Identifier: Apache-2.0
// The Markdown report of published values against `perfgate audit`: it finds nothing in the report
// as it is, and something in every report of which one number was changed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <sstream>

#include "perfgate/audit/audit.h"
#include "perfgate/report/published/published_parity_report.h"
#include "tests/support/arguments.h"

namespace perfgate::report {
namespace {

using perfgate::test_support::DataFile;
using published::PublishedSet;

std::string markdown_of(const PublishedSet& set, const published::ReviewRequest& request) {
  return published_markdown_report(published::review(set, request), {"source.json", {}});
}

audit::AuditResult audit_of_report(const std::string& markdown) {
  audit::AuditInput input;
  audit::read_audit_text("report.md", markdown, input);
  return audit::audit(input);
}

std::string findings_as_text(const audit::AuditResult& result) {
  std::string text;
  for (const audit::Finding& finding : result.findings) {
    text += fmt::format("line {}: {}; {}: {}\n", finding.line, finding.published,
                        finding.recomputed, finding.explanation);
  }
  return text;
}

PublishedSet data_set(const std::string& name) {
  return published::read_published(DataFile("parity/" + name));
}

const published::ReviewRequest kMachine = {
    .devices = published::Devices{.count = 1, .vram_gib = 80, .vendor = "nvidia"}};

struct Place {
  std::size_t at;
  std::size_t length;
};

std::vector<std::string> report_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Numbers of a line that stand alone: not in a word, an id or a comment.
std::vector<Place> numbers_of(const std::string& line) {
  static const std::regex kNumber(R"((^|[ |/(\[+-])(\d+(\.\d+)?)(?=[ |/),;.\\:]|$))");
  std::vector<Place> places;
  if (line.starts_with("#") || line.starts_with("<!--")) return places;
  for (auto it = std::sregex_iterator(line.begin(), line.end(), kNumber);
       it != std::sregex_iterator(); ++it) {
    places.push_back(
        {static_cast<std::size_t>(it->position(2)), static_cast<std::size_t>(it->length(2))});
  }
  return places;
}

std::string changed(const std::string& line, const Place& place) {
  const std::string number = line.substr(place.at, place.length);
  const std::size_t point = number.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(number.size() - point - 1);
  std::string text = line;
  return text.replace(place.at, place.length,
                      fmt::format("{:.{}f}", 2 * std::stod(number) + 1, decimals));
}

// Numbers that the report takes from elsewhere, so that nothing else in it follows from them: ids,
// the 5 % and 95 % that are settings, the machine, what was assumed, the difference of another
// metric, and published values of arms that compare with no other one.
bool is_given(const std::string& line, const Place& place) {
  const std::string before = line.substr(0, place.at);
  const std::string after = line.substr(place.at + place.length);
  if (before.ends_with("synth-") || after.starts_with(" % rule") || before.ends_with("than ")) {
    return true;
  }
  if (before.ends_with("exact binomial ") || before.ends_with("Exit ")) return true;
  for (const char* start : {"Assumed seconds", "What this machine", "A label or"}) {
    if (line.starts_with(start)) return true;
  }
  if (before.ends_with(" says loss (-")) return true;
  // Values of arms that do not compare with any other one.
  const bool alone = line.find("mismatch") != std::string::npos || line.find("synth-11") == 2;
  return alone && line.starts_with("| synth-") && line.find("throughput") != std::string::npos &&
         (before.ends_with("tok\\_s | ") || line.find("| none |") != std::string::npos);
}

// The report as lists of lines, one per heading.
std::vector<std::vector<std::string>> sections_of(const std::string& report) {
  std::vector<std::vector<std::string>> sections(1);
  for (const std::string& line : report_lines(report)) {
    if (line.starts_with("## ")) sections.emplace_back();
    sections.back().push_back(line);
  }
  return sections;
}

// A section is audited behind the summary and the views alone, which say what intervals are: the
// whole report 400 times takes long.
TEST(PublishedAudit, FindsEveryNumberThatWasChanged) {
  constexpr std::size_t kHead = 3;  // the title, the summary and the views
  const auto sections = sections_of(markdown_of(data_set("synthetic.json"), kMachine));
  int numbers = 0;
  for (std::size_t section = 0; section < sections.size(); ++section) {
    const std::vector<std::string>& lines = sections[section];
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const Place& place : numbers_of(lines[i])) {
        if (is_given(lines[i], place)) continue;
        ++numbers;
        std::string text;
        for (std::size_t s = 0; s < sections.size(); ++s) {
          if (s >= kHead && s != section) continue;
          for (std::size_t j = 0; j < sections[s].size(); ++j) {
            const bool here = s == section && j == i;
            text += (here ? changed(lines[i], place) : sections[s][j]) + "\n";
          }
        }
        EXPECT_FALSE(audit_of_report(text).findings.empty())
            << lines[i].substr(place.at, place.length) << " in\n"
            << lines[i];
      }
    }
  }
  EXPECT_GT(numbers, 300);
}

TEST(PublishedAudit, FindsNothingInAReportAsItIs) {
  for (const char* file : {"commits.json", "synthetic.json"}) {
    const audit::AuditResult result = audit_of_report(markdown_of(data_set(file), kMachine));
    EXPECT_EQ(findings_as_text(result), "") << file;
    EXPECT_GT(result.checked.cells_derived, 100) << "little was recomputed";
  }
}

TEST(PublishedAudit, FindsNothingInReportsOfPartsOfTheData) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 24; ++round) {
    PublishedSet set = data_set(round % 3 == 0 ? "synthetic.json" : "commits.json");
    published::ReviewRequest request = round % 2 == 0 ? kMachine : published::ReviewRequest{};
    std::vector<published::PublishedItem> kept;
    const int share = 10 + static_cast<int>(random() % 90);
    for (const published::PublishedItem& item : set.items) {
      if (static_cast<int>(random() % 100) < share) {
        kept.push_back(item);
      } else if (random() % 4 == 0) {
        request.skipped.push_back({item.id, "not stated"});
      }
    }
    set.items = kept;
    EXPECT_EQ(findings_as_text(audit_of_report(markdown_of(set, request))), "")
        << "round " << round << ", " << kept.size() << " items";
  }
}

}  // namespace
}  // namespace perfgate::report
