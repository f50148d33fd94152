// SPDX-License-Identifier: Apache-2.0
// http_stream.h: a socket as cpp-httplib reads and writes it, with a limit of time and of bytes.
//
// The library limits each read, so a byte now and then would hold a thread for ever, and it counts
// neither headers nor a body in chunks. Here the request as a whole has a deadline and a size.
#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "engine/serve/http.h"

namespace engine {

class HttpStream : public httplib::Stream, public HttpPeer {
 public:
  // The socket does not block and stays the caller's. Starts the clock of the request.
  HttpStream(int socket, const HttpLimits& limits);

  // The headers are complete: the body may come.
  void BeginBody() { budget_ = limits_.body_bytes + kChunkOverhead; }

  bool gone() const override;

  ssize_t read(char* out, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  bool is_readable() const override { return begin_ < end_; }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

  // Of some versions of the library and not of others: no override.
  virtual bool is_writable() const { return !gone(); }
  virtual bool wait_readable() const { return is_readable(); }
  virtual bool wait_writable() const { return !gone(); }
  virtual time_t duration() const { return 0; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kChunkOverhead = 4096;  // of a body that comes in chunks
  bool Fill();

  const int socket_;
  const HttpLimits& limits_;
  const Clock::time_point deadline_;
  std::size_t budget_;  // bytes that may still be read
  std::array<char, 4096> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace engine
