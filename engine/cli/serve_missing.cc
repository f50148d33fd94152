// SPDX-License-Identifier: Apache-2.0
// engine serve, in a build that found no HTTP library.
#include "engine/cli/commands.h"
#include "engine/error.h"

namespace engine::cli {

Command AddServe(CLI::App& app) {
  app.allow_extras();
  return [] {
    throw Error(ErrorKind::kUsage,
                "serve: this build has no HTTP server; install cpp-httplib 0.11 or newer (Debian: "
                "libcpp-httplib-dev), then configure and build again");
  };
}

}  // namespace engine::cli
