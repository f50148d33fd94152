// SPDX-License-Identifier: Apache-2.0
// published_parity_report.h: published values of three arms for a terminal, as Markdown, LaTeX, CSV
// or for a program: one line per item with the point rule's label beside what perfgate claims, then
// the counts.
#pragma once

#include <string>

#include "perfgate/published/parity_views.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/published/published_context.h"

namespace perfgate::report {

std::string published_console_report(const published::PopulationReview& review,
                                     const PublishedContext& context,
                                     const ConsoleOptions& options = {});

// A summary, tables of counts, rates, retries and needs, and an appendix by item. Everything that
// follows from something else in it is recomputed by `perfgate audit`.
std::string published_markdown_report(const published::PopulationReview& review,
                                      const PublishedContext& context);

// The same as a document of LaTeX's class article.
std::string PublishedLatexReport(const published::PopulationReview& review,
                                 const PublishedContext& context);

// One line per item, skipped ones last: a header, commas, quotes as RFC 4180 has them.
std::string PublishedCsv(const published::PopulationReview& review);

// "perfgate-parity-summary/1": what the answers lack: claims, failures, dispositions, needs, views.
std::string published_summary_json(const published::PopulationReview& review,
                                   const PublishedContext& context);

}  // namespace perfgate::report
