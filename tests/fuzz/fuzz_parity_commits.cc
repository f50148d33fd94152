// SPDX-License-Identifier: Apache-2.0
// Published values of three arms: read, judged and reported. No single number ever passes, and the
// counts of every view add up.
#include <string_view>

#include "perfgate/base/json/strict_json.h"
#include "perfgate/published/parity_views.h"
#include "perfgate/report/published/published_parity_report.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target.h"

PERFGATE_FUZZ_TARGET(parity_commits) {
  using namespace perfgate;
  fuzz::expect_only_errors([&] {
    const published::PublishedSet set = published::published_from_json(bytes, "commits.json");
    const published::Devices machine{2, 80.0, "nvidia"};
    const published::PopulationReview review = published::review(set, machine);
    fuzz::require(review.exit != Exit::kPass && review.items.size() == set.items.size());
    for (const published::View& view : review.views) {
      std::size_t counted = 0;
      for (const published::OutcomeCount& outcome : view.outcomes) counted += outcome.count;
      fuzz::require(counted == view.n && view.n + view.excluded.size() == review.items.size());
    }
    published::AnswerSet answers;
    answers.split = set.split;
    for (const published::ItemReview& item : review.items) answers.items.push_back(item.answer);
    const report::PublishedContext context{"commits.json", set.warnings};
    // What perfgate writes, its own strict parser must read.
    parse_strict_json(published::answers_to_json(answers), "answers");
    parse_strict_json(report::published_summary_json(review, context), "summary");
    fuzz::require(!report::published_console_report(review, context).empty());
    fuzz::require(!report::published_markdown_report(review, context).empty());
    fuzz::require(report::PublishedLatexReport(review, context).ends_with("\\end{document}\n"));
    fuzz::require(report::PublishedCsv(review).ends_with("\r\n"));
  });
}
