// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/base/os/unique_fd.h"

namespace engine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// What a client is sent that sends `request` and then waits.
struct Conversation {
  explicit Conversation(std::string_view request) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    const perfgate::UniqueFd server(ends[0]), client(ends[1]);
    EXPECT_EQ(::send(client.get(), request.data(), request.size(), 0),
              static_cast<ssize_t>(request.size()));
    HttpLimits limits;
    limits.body_bytes = 100;
    limits.read = std::chrono::milliseconds(50);
    HttpSocket socket(server.get(), limits);
    const HttpHandlers handlers = {[](const HttpHead&) { return std::nullopt; },
                                   [this](const HttpRequest& asked, const HttpPeer&) {
                                     path = asked.path;
                                     HttpResponse response;
                                     response.body = asked.body + "!";
                                     if (asked.path == "/stream") {
                                       response.stream = [](const HttpWrite& write) {
                                         write("one") && write("two");
                                       };
                                     }
                                     return response;
                                   },
                                   [](int status) {
                                     HttpResponse response;
                                     response.status = status;
                                     response.body = "error";
                                     return response;
                                   }};
    end = Exchange(socket, limits, handlers, [] {});
    std::array<char, 1U << 16U> buffer{};
    const ssize_t count = ::recv(client.get(), buffer.data(), buffer.size(), 0);
    answer.assign(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }

  std::string path, answer;
  ExchangeEnd end = ExchangeEnd::kNothing;
};

TEST(HttpExchange, AnswersWithALengthOrInChunks) {
  const Conversation get("GET /a%20b%zz?c=%20 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(get.path, "/a b%zz");
  EXPECT_EQ(get.end, ExchangeEnd::kAnswered);
  EXPECT_EQ(get.answer,
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
            "Content-Length: 1\r\n\r\n!");
  EXPECT_THAT(Conversation("HEAD /a HTTP/1.1\r\n\r\n").answer,
              ::testing::EndsWith("Content-Length: 1\r\n\r\n"));
  EXPECT_THAT(Conversation("GET /stream HTTP/1.1\r\n\r\n").answer,
              ::testing::EndsWith("Transfer-Encoding: chunked\r\n\r\n"
                                  "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"));
  EXPECT_THAT(Conversation("GET /stream HTTP/1.0\r\n\r\n").answer,
              ::testing::EndsWith("application/json\r\n\r\nonetwo"));
}

TEST(HttpExchange, ReadsBodies) {
  const std::string post = "POST / HTTP/1.1\r\n";
  EXPECT_THAT(Conversation(post + "Content-Length: 2\r\n\r\nhi").answer, HasSubstr("\r\n\r\nhi!"));
  EXPECT_THAT(
      Conversation(post + "Transfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n").answer,
      HasSubstr("\r\n\r\nhi!"));
  EXPECT_THAT(Conversation(post + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nhi").answer,
              StartsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"));
}

TEST(HttpExchange, RefusesWhatIsNoRequestOrTooMuch) {
  const auto refused = [](const std::string& request, const std::string& status) {
    const Conversation one(request);
    EXPECT_EQ(one.end, ExchangeEnd::kRefused) << request;
    EXPECT_THAT(one.answer, StartsWith("HTTP/1.1 " + status)) << request;
  };
  refused("no request\r\n\r\n", "400 Bad Request");
  refused("GET / HT", "400");
  refused("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n", "414");
  refused("GET / HTTP/1.1\r\nX: " + std::string(20000, 'a') + "\r\n\r\n", "400");
  refused("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", "413");
  refused("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort", "400");
  refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'a'),
          "400");
  EXPECT_EQ(Conversation("").end, ExchangeEnd::kNothing);
}

}  // namespace
}  // namespace engine
