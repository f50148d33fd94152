// SPDX-License-Identifier: Apache-2.0
// http_server.h: HTTP/1.1 over TCP: the listening socket, and a thread for each connection.
//
//   HttpServer  accepts, counts connections, stops          (this file)
//   HttpSocket  reads and writes one, within the limits     (http_socket.h)
//   Exchange()  one request and its answer, parsed by Beast  (http_exchange.h)
//
// A connection carries one request and has a thread while it is open. A client has a limited time
// to send its request, whatever pace it sends at, and has to take what it is sent; otherwise it is
// cut off, so that a slow one costs a thread for seconds and never more. One that closes its side
// counts as gone.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "engine/serve/http_message.h"

namespace engine {

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
