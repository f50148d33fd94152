// SPDX-License-Identifier: Apache-2.0
// The LaTeX and CSV forms of the report of published values: well formed whatever the names are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/report/published/published_parity_report.h"
#include "tests/support/arguments.h"

namespace perfgate::report {
namespace {

using perfgate::test_support::DataFile;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kEvilName = "a_b&c%d$e#f{g}h~i^j\\k<l>m|n\"o[p]q--r\xC3\xA9, s\n%t";

published::PopulationReview reviewed(const std::string& file, bool evil) {
  published::PublishedSet set = published::read_published(DataFile("parity/" + file));
  if (evil) {
    set.items[0].id = kEvilName;
    set.items[0].model = std::string("x-8B-") + kEvilName;
    set.items[0].errors.push_back({"run", kEvilName, kEvilName});
  }
  published::ReviewRequest request;
  request.devices = published::Devices{.count = 1, .vram_gib = 80, .vendor = "nvidia"};
  if (evil) request.skipped = {{std::string("[") + kEvilName, kEvilName}};
  return published::review(set, request);
}

// What is wrong with a document of the kind that LatexSections writes; empty for nothing. Commands
// are known ones, braces and environments are balanced, every row has its columns, and no character
// that means something stands alone.
std::string latex_problem(const std::string& text) {
  std::vector<std::string> open;
  int braces = 0;
  std::size_t columns = 0;
  std::size_t cells = 1;
  bool in_row = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string place = " at " + std::to_string(i) + ": " + text.substr(i, 30);
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) return "not ASCII" + place;
    if (c == '{') ++braces;
    if (c == '}' && --braces < 0) return "a brace is shut twice" + place;
    if (std::string_view("%$#_^~<>|\"").find(c) != std::string_view::npos) {
      return "a bare character" + place;
    }
    if (c == '&') {
      if (columns == 0) return "& outside a table" + place;
      ++cells;
    }
    if (c != '\\') continue;
    if (i + 1 >= text.size()) return "an end after a backslash";
    if (text[i + 1] == '\\') {
      if (columns == 0) return "a row outside a table" + place;
      if (cells != columns) {
        return std::to_string(cells) + " cells in " + std::to_string(columns) + " columns" + place;
      }
      cells = 1;
      in_row = true;
      ++i;
      continue;
    }
    if (std::string_view("{}$&#%_").find(text[i + 1]) != std::string_view::npos) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string command = text.substr(i + 1, end - i - 1);
    const auto argument = [&] { return text.substr(end + 1, text.find('}', end) - end - 1); };
    if (command == "begin") {
      open.push_back(argument());
      if (open.back() == "tabular") {
        if (columns != 0) return "a table in a table" + place;
        const std::size_t letters = text.find('{', text.find('}', end)) + 1;
        const std::size_t line = text.find('\n', letters);
        const std::string format = text.substr(letters, line - letters - 1);
        for (std::size_t f = 0; f < format.size(); ++f) {
          if (format[f] == 'p') f = format.find('}', f);
          ++columns;
        }
      }
    } else if (command == "end") {
      if (open.empty() || open.back() != argument()) return "another environment ends" + place;
      if (open.back() == "tabular") {
        if (cells != 1 || !in_row) return "a table without its last row" + place;
        columns = 0;
      }
      open.pop_back();
    } else if (std::string_view(" documentclass setlength textwidth oddsidemargin textheight "
                                "topmargin tabcolsep scriptsize sloppy hspace title author date "
                                "maketitle section "
                                "noindent hline textbackslash textasciicircum textasciitilde "
                                "textless textgreater textbar ")
                   .find(" " + command + " ") == std::string_view::npos) {
      return "an unknown command" + place;
    }
    i = end - 1;
  }
  if (braces != 0) return "an open brace";
  return open.empty() ? "" : "an open environment " + open.back();
}

TEST(PublishedLatex, IsWellFormed) {
  for (const bool evil : {false, true}) {
    for (const char* file : {"commits.json", "synthetic.json"}) {
      const std::string text = PublishedLatexReport(reviewed(file, evil), {kEvilName, {kEvilName}});
      EXPECT_EQ(latex_problem(text), "") << file;
      EXPECT_THAT(text, HasSubstr("\\begin{tabular}"));
      EXPECT_THAT(text, Not(HasSubstr("toprule")));
    }
  }
  EXPECT_EQ(latex_problem(PublishedLatexReport(published::review({}), {"empty", {}})), "");
}

TEST(PublishedLatex, TheCheckSeesWhatIsWrong) {
  const std::string text = PublishedLatexReport(reviewed("synthetic.json", false), {"f", {}});
  const auto broken = [&](const std::string& part, const std::string& other) {
    std::string changed = text;
    changed.replace(changed.find(part), part.size(), other);
    return latex_problem(changed);
  };
  EXPECT_NE(broken(" & ", " & & "), "");
  EXPECT_NE(broken("\\%", "%"), "");
  EXPECT_NE(broken("\\end{tabular}", ""), "");
  EXPECT_NE(broken("\\section*{", "\\section*"), "");
  EXPECT_NE(broken("\\hline", "\\toprule"), "");
}

// Its exit, and the lines of its log that say what runs over the edge of a page.
std::pair<int, std::string> Compiled(const std::string& document) {
  const PrivateFolder folder("perfgate-latex-");
  std::ofstream(folder.file("report.tex")) << document;
  const std::string command = "cd " + folder.path() +
                              " && pdflatex -interaction=nonstopmode -halt-on-error report.tex "
                              ">/dev/null";
  const int exit = std::system(command.c_str());
  std::ifstream log(folder.file("report.log"));
  std::string over;
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with("Overfull")) over += line + "\n";
  }
  return {exit, over};
}

TEST(PublishedLatex, CompilesAndStaysOnThePage) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "no pdflatex";
  EXPECT_EQ(Compiled(PublishedLatexReport(reviewed("commits.json", true), {kEvilName, {}})).first,
            0);
  for (const char* file : {"commits.json", "synthetic.json"}) {
    const auto [exit, over] = Compiled(PublishedLatexReport(reviewed(file, false), {file, {}}));
    EXPECT_EQ(exit, 0) << file;
    EXPECT_EQ(over, "") << file;
  }
}

// Records of RFC 4180.
std::vector<std::vector<std::string>> csv_records(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text[i + 1] == '"') {
      record.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      record.emplace_back();
    } else if (!quoted && c == '\r') {
      ++i;
      records.push_back(std::move(record));
      record = {""};
    } else {
      record.back() += c;
    }
  }
  return records;
}

TEST(PublishedCsv, HasALinePerItem) {
  const auto records = csv_records(PublishedCsv(reviewed("commits.json", true)));
  ASSERT_EQ(records.size(), 1 + 60 + 1U) << "the header, the items, and one that was skipped";
  for (const auto& record : records) EXPECT_EQ(record.size(), records[0].size());
  EXPECT_EQ(records[0][0], "id");
  EXPECT_EQ(records[1][0], kEvilName);
  EXPECT_EQ(records.back()[1], "skipped");
  std::size_t wins = 0;
  double seconds = 0;
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(records[0].begin(), records[0].end(), name) -
                                    records[0].begin());
  };
  for (const auto& record : records) {
    wins += record[column("label")] == "win" ? 1U : 0U;
    seconds += std::atof(record[column("seconds_from")].c_str());
  }
  EXPECT_EQ(wins, 5U);
  EXPECT_EQ(seconds, reviewed("commits.json", true).retries.total.seconds.lo);
}

}  // namespace
}  // namespace perfgate::report
