// SPDX-License-Identifier: Apache-2.0
// http_message.h: requests and answers of HTTP, and the limits of a connection; no sockets.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

struct HttpLimits {
  std::size_t header_bytes = 16U << 10U;  // request line and headers
  std::size_t body_bytes = 1U << 20U;
  std::size_t connections = 256;            // further ones wait to be accepted
  std::chrono::milliseconds read{10'000};   // for a whole request
  std::chrono::milliseconds write{10'000};  // for the client to take anything of what is sent
};

// What is known before the body is read.
struct HttpHead {
  std::string method, path;  // without query
  std::string content_type, content_encoding;
  bool has_length = false;  // or comes in chunks
  std::size_t length = 0;   // as announced
};

struct HttpRequest {
  std::string method, path, body;
};

// The client of a request that is being answered.
class HttpPeer {
 public:
  virtual ~HttpPeer() = default;
  virtual bool gone() const = 0;
};

// False when the client is gone or takes nothing.
using HttpWrite = std::function<bool(std::string_view)>;

struct HttpResponse {
  int status = 200;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string content_type = "application/json";
  std::function<void(const HttpWrite&)> stream;  // instead of a body; must not throw
};

struct HttpHandlers {
  // An answer that needs no body to be read, or none.
  std::function<std::optional<HttpResponse>(const HttpHead&)> gate;
  // Must not throw. The peer lives until the response, stream included, is sent.
  std::function<HttpResponse(const HttpRequest&, const HttpPeer&)> answer;
  // For what is no HTTP, or too long, or late: 400, 413, 414.
  std::function<HttpResponse(int status)> error;
};

}  // namespace engine
