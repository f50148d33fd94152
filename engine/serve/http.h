// SPDX-License-Identifier: Apache-2.0
// http.h: HTTP/1.1 over TCP: sockets, limits and threads are ours, the protocol is cpp-httplib's.
//
// A connection carries one request and has a thread while it is open. A client has a limited time
// to send its request, whatever pace it sends at, and has to take what it is sent; otherwise it is
// cut off, so that a slow one costs a thread for seconds and never more. One that closes its side
// counts as gone.
//
// http.cc needs cpp-httplib 0.11 (Debian: libcpp-httplib-dev) or newer; who only includes this
// header does not.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
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

class HttpServer {
 public:
  // Listens. port 0: any that is free. Throws Error(kUsage) with the system's reason, as for a port
  // in use.
  HttpServer(const std::string& host, int port, const HttpLimits& limits, HttpHandlers handlers);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  std::string url() const;  // http://127.0.0.1:8080

  // Answers until Stop(), then returns when every connection has ended.
  void Serve();
  // From any thread: accepts no more, and drops who has not sent a whole request. Answers go on.
  void Stop();

  std::size_t connections() const;  // open now

 private:
  struct Connection;
  void Accept();
  void Reap();
  void Converse(Connection& connection);

  const std::string host_;
  const HttpLimits limits_;
  const HttpHandlers handlers_;
  int listener_ = -1, wake_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::list<std::unique_ptr<Connection>> connections_;
};

}  // namespace engine
