// SPDX-License-Identifier: Apache-2.0
// perfgate parity: is an agent's version as fast as a human's?
#include <memory>

#include "perfgate/cli/commands.h"
#include "perfgate/cli/options.h"
#include "perfgate/cli/parity_published.h"

namespace perfgate::cli {
namespace {

struct ParityOptions {
  PublishedOptions published;
};

Exit parity(const ParityOptions& options) {
  if (options.published.from.empty()) {
    throw Error(Exit::kUsage, "name a file of published values: --from FILE");
  }
  return parity_published(options.published);
}

}  // namespace

Command add_parity(CLI::App& app) {
  auto options = std::make_shared<ParityOptions>();
  PublishedOptions& published = options->published;
  app.add_option("--from", published.from,
                 "Published values of three arms (perfgate-parity-commits/1)")
      ->check(not_empty());
  app.add_option("--json", published.json, "Write the answers to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--summary", published.summary,
                 "With --from: write views, failures, dispositions and needs to this file")
      ->check(not_empty());
  app.add_option("--markdown", published.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  app.add_option("--devices", published.devices,
                 "With --from: say which items a machine with so many GPUs can verify");
  app.add_option("--vram", published.vram_gib, "Memory of each of those GPUs, GiB");
  app.add_option("--vendor", published.vendor, "Their vendor: nvidia, amd or intel")
      ->check(CLI::IsMember({"nvidia", "amd", "intel"}));
  app.add_flag("--color,!--no-color", published.color, "Colour the table");
  return [options] { return parity(*options); };
}

}  // namespace perfgate::cli
