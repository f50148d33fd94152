// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http_server.h"

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
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "engine/error.h"
#include "engine/serve/http_exchange.h"
#include "engine/serve/http_socket.h"

namespace engine {
namespace {

// Connections that the kernel completes while all threads are taken.
constexpr int kBacklog = 1024;

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
    throw Error(Exit::kUsage, where + ": no address to listen on: " + ::gai_strerror(code));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(list, &::freeaddrinfo);
  int reason = 0;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    const int fd = ::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    // SO_REUSEADDR lets a restart pass the remains of old connections. Never SO_REUSEPORT:
    // two servers would share a port in silence.
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
  throw Error(Exit::kUsage, where + ": cannot listen: " + std::strerror(reason) +
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
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
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
    HttpSocket socket(connection.socket, limits_);
    const ExchangeEnd end = Exchange(socket, limits_, handlers_, [&] {
      const std::lock_guard lock(mutex_);
      connection.reading = false;
    });
    if (end == ExchangeEnd::kRefused && !stopping_) {
      socket.Linger();
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
