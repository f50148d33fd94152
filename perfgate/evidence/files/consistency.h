// SPDX-License-Identifier: Apache-2.0
// consistency.h: refusals of files whose fields are fine one by one but contradict each other.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

// "<file>: <pointer>: <problem>", Error(kInvalid).
[[noreturn]] inline void contradict(const std::string& where, const std::string& pointer,
                                    const std::string& problem) {
  throw Error(Exit::kInvalid, where + ": " + pointer + ": " + problem);
}

inline void require_size(const std::string& where, const std::string& pointer, std::size_t found,
                         std::size_t expected, std::string_view because) {
  if (found == expected) return;
  contradict(where, pointer,
             "has " + std::to_string(found) + " elements, expected " + std::to_string(expected) +
                 ": " + std::string(because));
}

// Takes names one by one and refuses the second of a kind.
class UniqueNames {
 public:
  void add(const std::string& where, const std::string& pointer, const std::string& name) {
    if (!seen_.insert(name).second)
      contradict(where, pointer, "\"" + name + "\" stands here twice");
  }

 private:
  std::set<std::string> seen_;
};

// Rising looks with one level each. pointer: the object that holds `looks` and `look_alpha`.
void check_looks(const std::vector<int>& looks, const std::vector<double>& look_alpha,
                 const std::string& pointer, const std::string& where);

void check_schedule(const Schedule& schedule, const std::string& where);

// Error(kInvalid) where sizes, indices or signs of a session do not agree.
void check_session(const Session& session, const std::string& where);

}  // namespace perfgate::inline evidence
