// SPDX-License-Identifier: Apache-2.0
// parity_published.h: `perfgate parity --from`: published values of three arms.
#pragma once

#include <optional>
#include <string>

#include "perfgate/base/error.h"

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
};

Exit parity_published(const PublishedOptions& options);

}  // namespace perfgate::cli
