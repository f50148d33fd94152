// SPDX-License-Identifier: Apache-2.0
// http_client.h: one request of HTTP/1.1 and its answer, within a time. Boost.Beast speaks HTTP,
// OpenSSL TLS; certificates are checked against the system's.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfgate::ci {

struct HttpAddress {
  bool tls = true;
  std::string host{};
  std::string port{};
  std::string path{};  // begins with a slash, or is empty
};

// "https://host[:port][/path]". Error(kUsage) for anything else, and for http to another machine:
// a token would travel in the clear. what: the option that it comes from.
HttpAddress ParseAddress(const std::string& url, const std::string& what);

struct HttpRequest {
  std::string method = "GET";
  std::string target{};  // "/repos/o/r/issues/1/comments?page=2"
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
};

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers{};  // names in lower case
  std::string body{};
};

// Error(kData) where no whole answer came within limit_s seconds. ca_file: certificates to trust
// besides the system's; empty: none.
HttpAnswer Exchange(const HttpAddress& address, const HttpRequest& request, double limit_s,
                    const std::string& ca_file = {});

}  // namespace perfgate::ci
