// SPDX-License-Identifier: Apache-2.0
// api.h: calls of the API of a code host, with patience for what passes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/ci/ci_system.h"
#include "perfgate/ci/post/http_client.h"

namespace perfgate::ci {

// Why a call did not do what it should. Those that pass may be tried again.
class ApiTrouble : public Error {
 public:
  ApiTrouble(const std::string& what, int status, bool passes, double wait_s)
      : Error(Exit::kData, what), status_(status), passes_(passes), wait_s_(wait_s) {}
  int status() const { return status_; }  // 0: there was no answer
  bool passes() const { return passes_; }
  double wait_s() const { return wait_s_; }  // as the host asks; negative: it does not say

 private:
  int status_;
  bool passes_;
  double wait_s_;
};

struct ApiAccess {
  Host host = Host::kGitHub;
  HttpAddress address{};
  std::string token{};
  std::string ca_file{};
  double limit_s = 20;  // of one call
};

struct ApiAnswer {
  int status = 0;
  nlohmann::json json{};
};

// The answer of a call that worked (2xx). ApiTrouble otherwise; the token is in no message.
ApiAnswer CallApi(const ApiAccess& access, const std::string& method, const std::string& target,
                  const nlohmann::json& body = nullptr);

}  // namespace perfgate::ci
