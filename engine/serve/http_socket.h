// SPDX-License-Identifier: Apache-2.0
// http_socket.h: the socket of one connection, with a limit of time and of bytes for its request.
//
// The request as a whole has a deadline and a size: a limit for each read alone would let a byte
// now and then hold a thread for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/serve/http_message.h"

namespace engine {

class HttpSocket : public HttpPeer {
 public:
  // The socket does not block and stays the caller's. Starts the clock of the request.
  HttpSocket(int socket, const HttpLimits& limits);

  bool gone() const override;

  // Appends what has come. False: the client closed its side, or is late, or sends too much.
  bool Receive(std::string& to);

  // All of it. False: the client is gone or takes nothing.
  bool Send(std::string_view data) const;

  // Reads for a moment what the client still sends: closing over unread bytes would reset the
  // connection, and the last answer might be lost with it.
  void Linger() const;

 private:
  using Clock = std::chrono::steady_clock;

  const int socket_;
  const std::chrono::milliseconds write_;
  const Clock::time_point deadline_;
  std::size_t budget_;  // bytes that may still be read
};

}  // namespace engine
