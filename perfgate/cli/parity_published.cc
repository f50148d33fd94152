// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_published.h"

#include <cmath>

#include "perfgate/cli/options/outputs.h"
#include "perfgate/published/parity_views.h"
#include "perfgate/report/published_parity_report.h"

namespace perfgate::cli {
namespace {

std::optional<published::Devices> machine_of(const PublishedOptions& options) {
  if (!options.devices) {
    if (options.vram_gib || !options.vendor.empty()) {
      throw Error(Exit::kUsage, "--vram and --vendor describe --devices; name their number too");
    }
    return std::nullopt;
  }
  if (*options.devices < 0) throw Error(Exit::kUsage, "--devices must be at least 0");
  if (options.vram_gib && !(*options.vram_gib > 0 && std::isfinite(*options.vram_gib))) {
    throw Error(Exit::kUsage, "--vram must be above 0 GiB");
  }
  published::Devices devices;
  devices.count = *options.devices;
  devices.vram_gib = options.vram_gib;
  if (!options.vendor.empty()) devices.vendor = options.vendor;
  return devices;
}

}  // namespace

Exit parity_published(const PublishedOptions& options) {
  machine_of(options);
  check_outputs({options.json, options.summary, options.markdown});
  return answer_published(options, published::read_published(options.from));
}

Exit answer_published(const PublishedOptions& options, const published::PublishedSet& set,
                      const std::string& head) {
  const std::optional<published::Devices> devices = machine_of(options);
  const published::PopulationReview review = published::review(set, devices);
  published::AnswerSet answers;
  answers.split = set.split;
  for (const published::ItemReview& item : review.items) answers.items.push_back(item.answer);
  const report::PublishedContext context{options.from, set.warnings};
  write_output(options.json, published::answers_to_json(answers));
  write_output(options.summary, report::published_summary_json(review, context));
  write_output(options.markdown, report::published_markdown_report(review, context));
  if (!options.quiet && options.json != "-" && options.summary != "-" && options.markdown != "-") {
    print(head + report::published_console_report(review, context, {.color = options.color}));
  }
  return review.exit;
}

}  // namespace perfgate::cli
