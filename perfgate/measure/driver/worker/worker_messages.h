// SPDX-License-Identifier: Apache-2.0
// worker_messages.h: what a worker's lines say (docs/protocol.md), as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// Versions of the worker protocol that this perfgate can speak with.
inline constexpr int kProtocolVersion = 2;
inline constexpr int kOldestProtocolVersion = 1;

struct Hello {
  int newest = 0;
  int oldest = 0;
  // Only read where a version is spoken by both.
  std::string library;
  BuildInfo build;
};

bool SpeaksOurProtocol(const Hello& hello);

// The version that both speak, where there is one: the newest.
int SpokenVersion(const Hello& hello);

// The readers take messages that are JSON objects and throw Error with what is wrong and where.
// Members that they do not know are left alone, because a newer worker may say more.
Hello ReadHello(const nlohmann::json& message);

// Cases and metrics.
Listing ReadListing(const nlohmann::json& message);

// The answer to a slice of case `id`. Faults that leave the worker usable (skipped, error, bad
// value) are in the result; wall_s stays 0. nonce: that the request carried, from version 2 on;
// empty: it carried none. An answer that does not echo it is none to this request.
SliceResult ReadSlice(const nlohmann::json& message, std::size_t id, std::int64_t iterations,
                      const std::string& nonce);

// The reason, or "", with which the worker refuses a request as none of the protocol.
std::optional<std::string> ReadRefusal(const nlohmann::json& message);

}  // namespace perfgate::measure
