// SPDX-License-Identifier: Apache-2.0
// parity_published.h: `perfgate parity --from`: published values of three arms.
#pragma once

#include <optional>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::cli {

struct PublishedOptions {
  std::string from;
  std::string json;     // answers
  std::string summary;  // views, failures, dispositions, needs
  std::string markdown;
  std::string csv;
  std::string latex;
  std::string skip;         // a list to read
  std::string skip_list;    // a list to write
  std::string run_seconds;  // "300..3600"
  std::optional<int> devices;
  std::optional<double> vram_gib;
  std::string vendor;
  DisplayOptions display{};
  bool quiet = false;  // standard output has another file
};

// The options of published values alone.
void add_published_options(CLI::App& app, PublishedOptions& options);

// Error(kUsage) that names the first of those options that is given: they have no effect without
// published values.
void refuse_published_options(const PublishedOptions& options);

Exit parity_published(const PublishedOptions& options);

// Answers for a set that was read from `options.from`, and writes the reports. `head` is printed
// before the report.
Exit answer_published(const PublishedOptions& options, published::PublishedSet set,
                      const std::string& head = {});

}  // namespace perfgate::cli
