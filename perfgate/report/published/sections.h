// SPDX-License-Identifier: Apache-2.0
// sections.h: the report of published values as headings, sentences and tables, and its two forms.
//
// Markdown and LaTeX say the same. In Markdown every table also states, in comments that nobody
// sees, which of its cells follow from which, so that `perfgate audit` recomputes them.
#pragma once

#include <string>
#include <vector>

#include "perfgate/published/parity_views.h"
#include "perfgate/report/published/published_context.h"
#include "perfgate/report/text/table.h"

namespace perfgate::report {

// A column of a table.
struct GridColumn {
  std::string label;
  Align align = Align::kRight;
};

// Cells are not escaped.
struct Grid {
  std::vector<GridColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> derived;  // docs/audit.md: "op=sum, out=n, args=["win", "loss"]"
};

struct Section {
  std::string title;
  std::vector<std::string> sentences;
  Grid grid;  // without rows: none
};

// The columns are counts: `out` is the sum of `args`, and the row "Total" that of all others.
std::string SumOfColumns(const std::string& out, const std::vector<std::string>& args);
std::string SumOfRows(const std::vector<std::string>& columns);

// "5/33 (15.2 %) [5.1, 31.9]": share and exact binomial interval at 95 %; "-" where n is 0.
std::string RateText(std::size_t count, std::size_t n);

// Whole seconds.
std::string SecondsText(double seconds);

// population_sections.cc: what there is. plan_sections.cc: what to do next. appendix_sections.cc:
// every item.
std::vector<Section> PopulationSections(const published::PopulationReview& review,
                                        const PublishedContext& context);
std::vector<Section> PlanSections(const published::PopulationReview& review);
std::vector<Section> AppendixSections(const published::PopulationReview& review);

std::vector<Section> PublishedSections(const published::PopulationReview& review,
                                       const PublishedContext& context);

std::string MarkdownSections(const std::string& title, const std::vector<Section>& sections);

// A whole document of class article with plain tabulars, long tables in several of them.
std::string LatexSections(const std::string& title, const std::vector<Section>& sections);

}  // namespace perfgate::report
