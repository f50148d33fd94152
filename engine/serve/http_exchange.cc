// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http_exchange.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace engine {
namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;

constexpr std::size_t kMostTarget = 8192;  // of a request line

std::string TextOf(boost::beast::string_view text) { return {text.data(), text.size()}; }

// "/a%20b?c" is the path "/a b". What is no escape stands for itself.
std::string PathOf(std::string_view target) {
  target = target.substr(0, target.find('?'));
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    unsigned char byte = 0;
    if (target[i] == '%' && i + 2 < target.size()) {
      const char* const end = target.data() + i + 3;
      if (std::from_chars(target.data() + i + 1, end, byte, 16).ptr == end) {
        path += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    path += target[i];
  }
  return path;
}

HttpHead HeadOf(const Parser& parser) {
  const auto& message = parser.get();
  const boost::optional<std::uint64_t> length = parser.content_length();
  return {.method = TextOf(message.method_string()),
          .path = PathOf(TextOf(message.target())),
          .content_type = TextOf(message[http::field::content_type]),
          .content_encoding = TextOf(message[http::field::content_encoding]),
          .has_length = length || parser.chunked(),
          .length = static_cast<std::size_t>(length.value_or(0))};
}

// Feeds the parser until `done`. The status of the refusal, where that does not come about.
template <class Done>
std::optional<int> ReadUntil(const Done& done, Parser& parser, HttpSocket& socket,
                             std::string& unread) {
  while (!done()) {
    boost::system::error_code error = http::error::need_more;
    if (!unread.empty()) {
      unread.erase(0, parser.put(boost::asio::const_buffer(unread.data(), unread.size()), error));
    }
    if (error == http::error::need_more) {
      if (!socket.Receive(unread)) {
        return 400;
      }
    } else if (error) {
      return error == http::error::body_limit && !parser.chunked() ? 413 : 400;
    }
  }
  return std::nullopt;
}

// Up to the empty line, with what stands before the content.
std::string HeadText(const HttpResponse& response, const std::string& framing) {
  std::string text =
      "HTTP/1.1 " + std::to_string(response.status) + " " +
      TextOf(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)))) +
      "\r\nConnection: close\r\nContent-Type: " + response.content_type + "\r\n";
  for (const auto& [name, value] : response.headers) {
    text += name + ": " + value + "\r\n";
  }
  return text + framing + "\r\n";
}

std::string Chunk(std::string_view data) {
  std::array<char, 20> size;
  std::snprintf(size.data(), size.size(), "%zx\r\n", data.size());
  return std::string(size.data()).append(data).append("\r\n");
}

enum class Content { kSent, kLeftOut };  // left out: the answer to HEAD

void SendWhole(const HttpSocket& socket, const HttpResponse& response, Content content) {
  const std::string head =
      HeadText(response, "Content-Length: " + std::to_string(response.body.size()) + "\r\n");
  socket.Send(content == Content::kSent ? head + response.body : head);
}

// HTTP/1.0 knows no chunks: the end of the content is that of the connection.
void SendStream(const HttpSocket& socket, const HttpResponse& response, unsigned version) {
  const bool chunked = version >= 11;
  bool open = socket.Send(HeadText(response, chunked ? "Transfer-Encoding: chunked\r\n" : ""));
  if (!open) {
    return;
  }
  response.stream([&](std::string_view data) {
    if (!data.empty()) {  // an empty chunk would be the end
      open = open && (chunked ? socket.Send(Chunk(data)) : socket.Send(data));
    }
    return open;
  });
  if (open && chunked) {
    socket.Send("0\r\n\r\n");
  }
}

ExchangeEnd EndOf(const HttpResponse& response) {
  return response.status < 400 ? ExchangeEnd::kAnswered : ExchangeEnd::kRefused;
}

}  // namespace

ExchangeEnd Exchange(HttpSocket& socket, const HttpLimits& limits, const HttpHandlers& handlers,
                     const std::function<void()>& on_request) {
  std::string unread;
  if (!socket.Receive(unread)) {
    return ExchangeEnd::kNothing;
  }
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  // The gate sees an announced length first. Boost 1.74 takes `none` for less than any length.
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  Content content = Content::kSent;
  const auto refuse = [&](const HttpResponse& response) {
    SendWhole(socket, response, content);
    return EndOf(response);
  };

  if (const auto status =
          ReadUntil([&] { return parser.is_header_done(); }, parser, socket, unread)) {
    return refuse(handlers.error(*status));
  }
  if (parser.get().target().size() > kMostTarget) {
    return refuse(handlers.error(414));
  }
  const HttpHead head = HeadOf(parser);
  content = head.method == "HEAD" ? Content::kLeftOut : Content::kSent;
  if (const std::optional<HttpResponse> refusal = handlers.gate(head)) {
    return refuse(*refusal);
  }
  if (head.method == "POST") {  // the content of others means nothing
    if (head.length > limits.body_bytes) {
      return refuse(handlers.error(413));
    }
    parser.body_limit(limits.body_bytes);
    if (boost::beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      socket.Send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    if (const auto status = ReadUntil([&] { return parser.is_done(); }, parser, socket, unread)) {
      return refuse(handlers.error(*status));
    }
  }

  on_request();
  const unsigned version = parser.get().version();
  const HttpResponse response =
      handlers.answer({head.method, head.path, std::move(parser.get().body())}, socket);
  if (response.stream && content == Content::kSent) {
    SendStream(socket, response, version);
  } else {
    SendWhole(socket, response, content);
  }
  return EndOf(response);
}

}  // namespace engine
