// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/work.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace perfgate::bench {
namespace {

// Function-local, because suites declare during static initialisation.
std::map<std::string, Work, std::less<>>& DeclaredWork() {
  static std::map<std::string, Work, std::less<>> works;
  return works;
}

}  // namespace

void DeclareWork(const std::string& name, Work work) {
  if (name.empty()) {
    throw std::invalid_argument("DeclareWork: the name of the case is empty");
  }
  for (const double amount : {work.bytes, work.flops}) {
    if (!std::isfinite(amount) || amount < 0) {
      throw std::invalid_argument("DeclareWork(\"" + name +
                                  "\"): bytes and flops must be finite and at least 0");
    }
  }
  DeclaredWork().insert_or_assign(name, std::move(work));
}

const Work* FindWork(std::string_view listed) {
  for (std::size_t end = listed.size(); end != std::string_view::npos && end > 0;
       end = listed.rfind('/', end - 1)) {
    const auto found = DeclaredWork().find(listed.substr(0, end));
    if (found != DeclaredWork().end()) {
      return &found->second;
    }
  }
  return nullptr;
}

}  // namespace perfgate::bench
