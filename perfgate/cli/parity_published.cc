// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_published.h"

#include <charconv>
#include <cmath>

#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/published/parity_views.h"
#include "perfgate/report/published/published_parity_report.h"

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

// "300..3600": seconds of one run where the file records none.
published::SizeRange run_seconds_of(const PublishedOptions& options) {
  if (options.run_seconds.empty()) return published::kAssumedRunSeconds;
  const std::string_view text = options.run_seconds;
  const std::size_t dots = text.find("..");
  const auto number = [](std::string_view digits) -> std::optional<double> {
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const auto lo = number(text.substr(0, dots));
  const auto hi = dots == std::string_view::npos ? lo : number(text.substr(dots + 2));
  constexpr double kMost = 1e7;  // four months
  if (!lo || !hi || !(*lo > 0) || !(*hi >= *lo) || !(*hi <= kMost)) {
    throw Error(Exit::kUsage, "--run-seconds " + options.run_seconds +
                                  ": expected seconds above 0, one number or a range such as "
                                  "300..3600");
  }
  return {*lo, *hi};
}

}  // namespace

void add_published_options(CLI::App& app, PublishedOptions& options) {
  const auto add_file = [&app](const char* name, std::string& file, const char* help) {
    app.add_option(name, file, help)->check(not_empty());
  };
  add_file(
      "--summary", options.summary,
      "Published values: write views, retries, the data-set verdict and needs to this JSON file");
  add_file("--csv", options.csv, "Published values: write one line per item to this file");
  add_file("--latex", options.latex, "Published values: write the report as LaTeX to this file");
  add_file("--skip-list", options.skip_list,
           "Published values: write the items that cannot be verified to this file, one id a line");
  add_file("--skip", options.skip,
           "Published values: leave out the items of such a list; they count as excluded");
  add_file("--run-seconds", options.run_seconds,
           "Published values: seconds of one run where the file has none [300..3600]");
  app.add_option("--devices", options.devices,
                 "Published values: say which items a machine with so many GPUs can verify");
  app.add_option("--vram", options.vram_gib, "Memory of each of those GPUs, GiB");
  app.add_option("--vendor", options.vendor, "Their vendor: nvidia, amd or intel")
      ->check(CLI::IsMember({"nvidia", "amd", "intel"}));
}

void refuse_published_options(const PublishedOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--summary", !options.summary.empty()},    {"--csv", !options.csv.empty()},
      {"--latex", !options.latex.empty()},        {"--skip-list", !options.skip_list.empty()},
      {"--skip", !options.skip.empty()},          {"--run-seconds", !options.run_seconds.empty()},
      {"--devices", options.devices.has_value()}, {"--vram", options.vram_gib.has_value()},
      {"--vendor", !options.vendor.empty()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) {
      throw Error(Exit::kUsage,
                  std::string(name) + " belongs to --from with a file of published values");
    }
  }
}

Exit parity_published(const PublishedOptions& options) {
  machine_of(options);
  run_seconds_of(options);
  check_outputs({options.json, options.summary, options.markdown, options.csv, options.latex,
                 options.skip_list});
  return answer_published(options, published::read_published(options.from));
}

Exit answer_published(const PublishedOptions& options, published::PublishedSet set,
                      const std::string& head) {
  published::ReviewRequest request;
  request.devices = machine_of(options);
  request.assumed_run_s = run_seconds_of(options);
  if (!options.skip.empty()) {
    request.skipped = published::ReadSkipList(options.skip);
    published::LeaveOut(request.skipped, options.skip, set);
  }
  const published::PopulationReview review = published::review(set, request);
  published::AnswerSet answers;
  answers.split = set.split;
  for (const published::ItemReview& item : review.items) answers.items.push_back(item.answer);
  const report::PublishedContext context{options.from, set.warnings};
  // Before anything is written: an id may not fit.
  const std::string skip_list =
      options.skip_list.empty()
          ? ""
          : published::SkipListText(published::ItemsToSkip(review), options.from);
  write_output(options.json, published::answers_to_json(answers));
  write_output(options.summary, report::published_summary_json(review, context));
  write_output(options.markdown, report::published_markdown_report(review, context));
  write_output(options.csv, report::PublishedCsv(review));
  write_output(options.latex, report::PublishedLatexReport(review, context));
  write_output(options.skip_list, skip_list);
  bool prints = !options.quiet;
  for (const std::string* output : {&options.json, &options.summary, &options.markdown,
                                    &options.csv, &options.latex, &options.skip_list}) {
    prints = prints && *output != "-";
  }
  if (prints) {
    print(head +
          report::published_console_report(review, context, ConsoleOptionsOf(options.display)));
  }
  return review.exit;
}

}  // namespace perfgate::cli
