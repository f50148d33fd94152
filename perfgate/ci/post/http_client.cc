// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/http_client.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/version.hpp>
#include <cctype>
#include <chrono>

#include "perfgate/base/error.h"

namespace perfgate::ci {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Answer = http::response_parser<http::string_body>;

constexpr std::uint64_t kMostBody = std::uint64_t{32} << 20;
constexpr int kHttpVersion = 11;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// One connection. Every step has what is left of the limit.
class Connection {
 public:
  Connection(const HttpAddress& address, double limit_s)
      : address_(address),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(limit_s))) {}

  HttpAnswer Ask(const HttpRequest& request, const std::string& ca_file) {
    if (!address_.tls) {
      beast::tcp_stream stream(io_);
      Connect(stream);
      return Talk(stream, request);
    }
    asio::ssl::context context(asio::ssl::context::tls_client);
    Trust(context, ca_file);
    beast::ssl_stream<beast::tcp_stream> stream(io_, context);
    if (SSL_set_tlsext_host_name(stream.native_handle(), address_.host.c_str()) != 1) {
      Fail("TLS", "the name cannot be set");
    }
    stream.set_verify_mode(asio::ssl::verify_peer);
    stream.set_verify_callback(asio::ssl::host_name_verification(address_.host));
    Connect(beast::get_lowest_layer(stream));
    Step("TLS", [&](auto done) {
      beast::get_lowest_layer(stream).expires_at(end_);
      stream.async_handshake(asio::ssl::stream_base::client, done);
    });
    return Talk(stream, request);
  }

 private:
  [[noreturn]] void Fail(const std::string& step, const std::string& reason) const {
    throw Error(Exit::kData, "no answer from " + address_.host + ":" + address_.port + " (" + step +
                                 ": " + reason + ")");
  }

  // Runs one asynchronous operation to its end, or to the limit.
  template <class Start>
  void Step(const char* name, Start start) {
    error_code failed = asio::error::would_block;
    start([&failed](error_code error, auto&&...) { failed = error; });
    io_.restart();
    io_.run_until(end_);
    if (failed == asio::error::would_block || failed == beast::error::timeout) {
      Fail(name, "the time is up");
    }
    if (failed) Fail(name, failed.message());
  }

  void Trust(asio::ssl::context& context, const std::string& ca_file) const {
    error_code failed;
    context.set_default_verify_paths(failed);
    if (!failed && !ca_file.empty()) context.load_verify_file(ca_file, failed);
    if (failed) Fail("certificates", failed.message());
  }

  void Connect(beast::tcp_stream& stream) {
    asio::ip::tcp::resolver::results_type found;
    Step("name", [&](auto done) {
      resolver_.async_resolve(address_.host, address_.port,
                              [&found, done](error_code error, const auto& results) mutable {
                                found = results;
                                done(error);
                              });
    });
    Step("connection", [&](auto done) {
      stream.expires_at(end_);
      stream.async_connect(found, done);
    });
  }

  template <class Stream>
  HttpAnswer Talk(Stream& stream, const HttpRequest& request) {
    http::request<http::string_body> message;
    message.version(kHttpVersion);
    message.method_string(request.method);
    message.target(address_.path + request.target);
    message.set(http::field::host, address_.host);
    message.set(http::field::user_agent, "perfgate");
    message.set(http::field::connection, "close");
    for (const auto& [name, value] : request.headers) message.set(name, value);
    message.body() = request.body;
    message.prepare_payload();
    Step("request", [&](auto done) {
      beast::get_lowest_layer(stream).expires_at(end_);
      http::async_write(stream, message, done);
    });
    beast::flat_buffer buffer;
    Answer answer;
    answer.body_limit(kMostBody);
    Step("answer", [&](auto done) {
      beast::get_lowest_layer(stream).expires_at(end_);
      http::async_read(stream, buffer, answer, done);
    });
    HttpAnswer result{.status = static_cast<int>(answer.get().result_int()),
                      .body = answer.get().body()};
    for (const auto& field : answer.get()) {
      const auto name = field.name_string();
      const auto value = field.value();
      result.headers[Lower({name.data(), name.size()})] = {value.data(), value.size()};
    }
    return result;
  }

  const HttpAddress& address_;
  std::chrono::steady_clock::time_point end_;
  asio::io_context io_;
  asio::ip::tcp::resolver resolver_{io_};
};

bool IsThisMachine(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "::1";
}

[[noreturn]] void RefuseAddress(const std::string& url, const std::string& what,
                                const std::string& problem) {
  throw Error(Exit::kUsage, what + " " + url + ": " + problem);
}

}  // namespace

HttpAddress ParseAddress(const std::string& url, const std::string& what) {
  HttpAddress address;
  std::string rest;
  if (url.starts_with("https://")) {
    rest = url.substr(std::string_view("https://").size());
  } else if (url.starts_with("http://")) {
    rest = url.substr(std::string_view("http://").size());
    address.tls = false;
  } else {
    RefuseAddress(url, what, "expected an address that begins with https://");
  }
  const bool plain = std::all_of(url.begin(), url.end(), [](unsigned char c) {
    return c > ' ' && c < 127 && c != '@' && c != '?' && c != '#';
  });
  if (!plain) RefuseAddress(url, what, "expected https://HOST[:PORT][/PATH] and nothing else");
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  address.path = rest.substr(slash);
  while (address.path.ends_with('/')) address.path.pop_back();
  address.host = rest.substr(0, slash);
  address.port = address.tls ? "443" : "80";
  const std::size_t colon = address.host.rfind(':');
  if (colon != std::string::npos && address.host.back() != ']') {
    address.port = address.host.substr(colon + 1);
    address.host.resize(colon);
    constexpr std::size_t kLongestPort = 5;
    if (address.port.empty() || address.port.size() > kLongestPort ||
        address.port.find_first_not_of("0123456789") != std::string::npos) {
      RefuseAddress(url, what, "the port is no number");
    }
  }
  if (address.host.empty()) RefuseAddress(url, what, "the name of the host is missing");
  if (!address.tls && !IsThisMachine(address.host)) {
    RefuseAddress(url, what, "the token would travel in the clear; use https");
  }
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  return address;
}

HttpAnswer Exchange(const HttpAddress& address, const HttpRequest& request, double limit_s,
                    const std::string& ca_file) {
  return Connection(address, limit_s).Ask(request, ca_file);
}

}  // namespace perfgate::ci
