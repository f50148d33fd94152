// SPDX-License-Identifier: Apache-2.0
// collect.h: everything that files and stores say of a suite's past.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/io/key_file.h"
#include "perfgate/verdict/history/history.h"

namespace perfgate::gate {

struct HistoryRequest {
  // Stores of baselines (a folder or git:REV:FOLDER), folders of verdict and session files, which
  // are read whole, and such files. Of a file in a repository the commit is the one that added it.
  std::vector<std::string> sources;
  std::string suite;          // empty: every suite
  std::string machine_class;  // empty: every class
  std::string filter;         // regular expression on case names; empty: all
  // Revision of git: then points are in the order of the commits that lead to it by first parents.
  // Empty: in order of time.
  std::string along;
  HistoryRule rule{};
  std::optional<SecretKey> key{};  // read only what it signed
};

// Error(kData) where there is nothing to read, or a file of another kind was named; Error(kInvalid)
// where a store contradicts itself; Error(kUsage) for a filter that is no regular expression.
History CollectHistory(const HistoryRequest& request);

}  // namespace perfgate::gate
