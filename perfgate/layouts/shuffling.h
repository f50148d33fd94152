// SPDX-License-Identifier: Apache-2.0
// shuffling.h: arguments that make a link command put functions and data in a random order.
#pragma once

#include <string>

#include "perfgate/layouts/link_command.h"

namespace perfgate::layouts {

// The link command of one layout. `folder` takes what the link needs beside its inputs (the padding
// object of Shuffling::kOrder) and exists. A seed of 0 shuffles nothing.
LinkCommand ShuffledLink(const ParsedLink& link, Shuffling shuffling, int seed,
                         const std::string& folder, const std::string& output);

// Makes an executable look for shared libraries beside itself first.
void LookBesideItself(const ParsedLink& link, LinkCommand& command);

}  // namespace perfgate::layouts
