// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <thread>

#include "engine/error.h"
#include "engine/serve/http_stream.h"

namespace engine {
namespace {

using std::chrono::milliseconds;

// Connections that the kernel completes while all threads are taken.
constexpr int kBacklog = 1024;
// After an error is told, what the client still sends is read for so long: closing over unread
// bytes resets the connection, and the answer may be lost with it.
constexpr milliseconds kLinger{500};

// One request, by cpp-httplib: its Server parses, routes and writes; listening and threads, which
// are its other half, stay unused.
class Exchange : private httplib::Server {
 public:
  Exchange(HttpStream& stream, const HttpLimits& limits, const HttpHandlers& handlers,
           std::function<void()> on_request)
      : stream_(stream), handlers_(handlers), on_request_(std::move(on_request)) {
    svr_sock_ = stream.socket();  // the library takes none for a server that is shutting down
    set_payload_max_length(limits.body_bytes);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (const std::optional<HttpResponse> refusal = handlers_.gate(HeadOf(request))) {
        Write(*refusal, request, response);
        return HandlerResponse::Handled;
      }
      return HandlerResponse::Unhandled;
    });
    const Handler answer = [this](const httplib::Request& request, httplib::Response& response) {
      on_request_();
      Write(handlers_.answer({request.method, request.path, request.body}, stream_), request,
            response);
    };
    Get(".*", answer);
    Post(".*", answer);
    set_error_handler(Handler([this](const httplib::Request& request, httplib::Response& response) {
      failed_ = true;
      if (response.body.empty()) {
        Write(handlers_.error(response.status), request, response);
      }
    }));
  }

  void Run() { Process(*this); }
  bool failed() const { return failed_; }

 private:
  // The library's signature grew addresses, which nothing here reads.
  template <class Self>
  void Process(Self& self) {
    bool closed = false;
    const std::function<void(httplib::Request&)> setup = [this](httplib::Request& request) {
      stream_.BeginBody();
      // Part of an answer, or a compressed one, is of no use here.
      request.headers.erase("Range");
      request.ranges.clear();
      request.headers.erase("Accept-Encoding");
    };
    if constexpr (requires { self.process_request(stream_, true, closed, setup); }) {
      self.process_request(stream_, true, closed, setup);
    } else {
      self.process_request(stream_, "", 0, "", 0, true, closed, setup);
    }
  }

  static HttpHead HeadOf(const httplib::Request& request) {
    HttpHead head;
    head.method = request.method;
    head.path = request.path;
    head.content_type = request.get_header_value("Content-Type");
    head.content_encoding = request.get_header_value("Content-Encoding");
    const std::string length = request.get_header_value("Content-Length");
    const auto [end, error] =
        std::from_chars(length.data(), length.data() + length.size(), head.length);
    const bool number = error == std::errc() && end == length.data() + length.size();
    head.has_length =
        number || (length.empty() && request.get_header_value("Transfer-Encoding") == "chunked");
    return head;
  }

  static void Write(const HttpResponse& from, const httplib::Request& request,
                    httplib::Response& to) {
    to.status = from.status;
    for (const auto& [name, value] : from.headers) {
      to.set_header(name.c_str(), value);
    }
    if (!from.stream) {
      to.set_content(from.body, from.content_type.c_str());
      return;
    }
    const auto provide = [stream = from.stream](std::size_t, httplib::DataSink& sink) {
      stream([&](std::string_view data) { return sink.write(data.data(), data.size()); });
      sink.done();
      return true;
    };
    if (request.version == "HTTP/1.0") {  // knows no chunks; the end is that of the connection
      to.set_content_provider(from.content_type.c_str(), provide);
    } else {
      to.set_chunked_content_provider(from.content_type.c_str(), provide);
    }
  }

  HttpStream& stream_;
  const HttpHandlers& handlers_;
  const std::function<void()> on_request_;
  bool failed_ = false;
};

void Linger(int socket) {
  ::shutdown(socket, SHUT_WR);
  const auto deadline = std::chrono::steady_clock::now() + kLinger;
  std::array<char, 4096> ignored;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entry{socket, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&entry, 1, static_cast<int>(left.count())) <= 0 ||
        ::recv(socket, ignored.data(), ignored.size(), MSG_DONTWAIT) <= 0) {
      return;
    }
  }
}

int PortOf(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return 0;
  }
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

int Listen(const std::string& host, int port) {
  const std::string where = host + ":" + std::to_string(port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list)) {
    throw Error(ErrorKind::kUsage, where + ": no address to listen on: " + ::gai_strerror(code));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(list, &::freeaddrinfo);
  int reason = 0;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    // SO_REUSEADDR lets a restart pass the remains of old connections. Never SO_REUSEPORT, the
    // library's choice: two servers would share a port in silence.
    const int on = 1;
    if (fd >= 0 && ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
        ::bind(fd, one->ai_addr, one->ai_addrlen) == 0 && ::listen(fd, kBacklog) == 0) {
      return fd;
    }
    reason = errno;
    if (fd >= 0) {
      ::close(fd);
    }
  }
  throw Error(ErrorKind::kUsage, where + ": cannot listen: " + std::strerror(reason) +
                                     "; choose another --port, or 0 for any");
}

}  // namespace

struct HttpServer::Connection {
  int socket = -1;
  bool reading = true;  // under mutex_, as `done`
  bool done = false;
  std::thread thread;
};

HttpServer::HttpServer(const std::string& host, int port, const HttpLimits& limits,
                       HttpHandlers handlers)
    : host_(host), limits_(limits), handlers_(std::move(handlers)), listener_(Listen(host, port)) {
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  port_ = PortOf(listener_);
}

HttpServer::~HttpServer() {
  ::close(listener_);
  ::close(wake_);
}

std::string HttpServer::url() const {
  const bool v6 = host_.find(':') != std::string::npos;
  return "http://" + (v6 ? "[" + host_ + "]" : host_) + ":" + std::to_string(port_);
}

std::size_t HttpServer::connections() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(connections_.begin(), connections_.end(),
                                                [](const auto& one) { return !one->done; }));
}

void HttpServer::Stop() {
  stopping_ = true;
  const std::lock_guard lock(mutex_);
  for (const auto& one : connections_) {
    if (one->reading && !one->done) {
      ::shutdown(one->socket, SHUT_RD);
    }
  }
  ::eventfd_write(wake_, 1);
}

void HttpServer::Serve() {
  while (!stopping_) {
    Reap();
    // A full house does not look at the listener; a thread that ends wakes it.
    std::array<pollfd, 2> entries{{{wake_, POLLIN, 0}, {listener_, POLLIN, 0}}};
    const bool full = connections() >= limits_.connections;
    if (::poll(entries.data(), full ? 1 : 2, -1) < 0) {
      continue;  // EINTR
    }
    eventfd_t count = 0;
    ::eventfd_read(wake_, &count);
    if (!full && entries[1].revents != 0 && !stopping_) {
      Accept();
    }
  }
  for (;;) {
    Reap();
    {
      const std::lock_guard lock(mutex_);
      if (connections_.empty()) {
        return;
      }
    }
    pollfd entry{wake_, POLLIN, 0};
    ::poll(&entry, 1, -1);
    eventfd_t count = 0;
    ::eventfd_read(wake_, &count);
  }
}

void HttpServer::Accept() {
  const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) {
    // A client that left already is no news. Out of descriptors or memory: others may end soon.
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    return;
  }
  const int on = 1;  // a token goes out when it is there
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const std::lock_guard lock(mutex_);
  if (stopping_) {
    ::close(socket);
    return;
  }
  connections_.push_back(std::make_unique<Connection>());
  Connection& connection = *connections_.back();
  connection.socket = socket;
  try {
    connection.thread = std::thread([this, &connection] { Converse(connection); });
  } catch (const std::system_error&) {  // no thread to be had
    connections_.pop_back();
    ::close(socket);
  }
}

void HttpServer::Reap() {
  std::list<std::unique_ptr<Connection>> done;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = connections_.begin(); at != connections_.end();) {
      const auto next = std::next(at);
      if ((*at)->done) {
        done.splice(done.end(), connections_, at);
      }
      at = next;
    }
  }
  for (const auto& one : done) {
    one->thread.join();
  }
}

void HttpServer::Converse(Connection& connection) {
  try {
    HttpStream stream(connection.socket, limits_);
    Exchange exchange(stream, limits_, handlers_, [&] {
      const std::lock_guard lock(mutex_);
      connection.reading = false;
    });
    exchange.Run();
    if (exchange.failed() && !stopping_) {
      Linger(connection.socket);
    }
  } catch (const std::exception&) {
    // No memory for a request: its connection is closed, the others go on.
  }
  const std::lock_guard lock(mutex_);
  ::close(connection.socket);
  connection.done = true;
  ::eventfd_write(wake_, 1);
}

}  // namespace engine
