// SPDX-License-Identifier: Apache-2.0
// parity_published.h: `perfgate parity --from`: published values of three arms.
#pragma once

#include <optional>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::cli {

struct PublishedOptions {
  std::string from;
  std::string json;     // answers
  std::string summary;  // views, failures, dispositions, needs
  std::string markdown;
  std::optional<int> devices;
  std::optional<double> vram_gib;
  std::string vendor;
  bool color = false;
  bool quiet = false;  // standard output has another file
};

Exit parity_published(const PublishedOptions& options);

// Answers for a set that was read from `options.from`, and writes the reports. `head` is printed
// before the report.
Exit answer_published(const PublishedOptions& options, const published::PublishedSet& set,
                      const std::string& head = {});

}  // namespace perfgate::cli
