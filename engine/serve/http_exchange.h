// SPDX-License-Identifier: Apache-2.0
// http_exchange.h: one request of HTTP/1.1 and its answer. Boost.Beast parses; it sees no socket.
#pragma once

#include <functional>

#include "engine/serve/http_message.h"
#include "engine/serve/http_socket.h"

namespace engine {

enum class ExchangeEnd {
  kAnswered,
  kRefused,  // with an error, maybe before the client had sent its whole request
  kNothing,  // the client sent nothing
};

// `on_request`: called when the request is whole, before it is answered.
ExchangeEnd Exchange(HttpSocket& socket, const HttpLimits& limits, const HttpHandlers& handlers,
                     const std::function<void()>& on_request);

}  // namespace engine
