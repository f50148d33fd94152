// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_published.h"

#include <cmath>

#include "perfgate/cli/outputs.h"
#include "perfgate/report/published_parity_report.h"
#include "perfgate/verdict/parity_views.h"

namespace perfgate::cli {
namespace {

std::optional<parity::Devices> machine_of(const PublishedOptions& options) {
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
  parity::Devices devices;
  devices.count = *options.devices;
  devices.vram_gib = options.vram_gib;
  if (!options.vendor.empty()) devices.vendor = options.vendor;
  return devices;
}

}  // namespace

Exit parity_published(const PublishedOptions& options) {
  const std::optional<parity::Devices> devices = machine_of(options);
  check_outputs({options.json, options.summary, options.markdown});
  const parity::PublishedSet set = parity::read_published(options.from);
  const parity::PopulationReview review = parity::review(set, devices);
  parity::AnswerSet answers;
  answers.split = set.split;
  for (const parity::ItemReview& item : review.items) answers.items.push_back(item.answer);
  const report::PublishedContext context{options.from, set.warnings};
  write_output(options.json, parity::answers_to_json(answers));
  write_output(options.summary, report::published_summary_json(review, context));
  write_output(options.markdown, report::published_markdown_report(review, context));
  if (options.json != "-" && options.summary != "-" && options.markdown != "-") {
    print(report::published_console_report(review, context, {.color = options.color}));
  }
  return review.exit;
}

}  // namespace perfgate::cli
