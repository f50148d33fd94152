// SPDX-License-Identifier: Apache-2.0
// comment.h: one comment of ours on a pull or merge request, updated in place.
#pragma once

#include <functional>
#include <string>

#include "perfgate/ci/post/api.h"

namespace perfgate::ci {

struct CommentPlace {
  std::string project{};  // "owner/name", or the number or path of a GitLab project
  std::string number{};   // of the pull or merge request
  // Commit that the request has to be at; empty: any. A verdict from a job that a stranger could
  // write to does not say truly which request it is about.
  std::string head{};
  // Name of the account that writes; empty: found out. Comments of others are left alone.
  std::string author{};
};

struct Patience {
  double total_s = 60;  // of waiting between tries
  int tries = 4;
};

// Error(kUsage) for what cannot be a project or a number.
void RequirePlace(Host host, const CommentPlace& place);

// Longest comment that the host takes, bytes.
std::size_t MostBytes(Host host);

// Updates our comment with this mark, or makes it. Says what it did: "updated comment 12 on o/r#7".
// ApiTrouble when patience ends; `say` hears why it waits.
std::string PostComment(const ApiAccess& access, const CommentPlace& place, const std::string& mark,
                        const std::string& body, const Patience& patience,
                        const std::function<void(const std::string&)>& say);

}  // namespace perfgate::ci
