#include "server/listener.hpp"

#include <fcntl.h>

#include <chrono>
#include <memory>
#include <utility>

namespace batchscope::exporter {
namespace {

// Until there may be room again, or files can be opened again.
constexpr std::chrono::milliseconds kPause(20);

// A program that is started would hold the socket beyond the end of this one.
template <class Socket>
void keep_from_children(Socket& socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

std::string in_words(const Tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  const bool brackets = endpoint.address().is_v6();
  return (brackets ? '[' + host + ']' : host) + ':' + std::to_string(endpoint.port());
}

}  // namespace

base::Result<void> Listener::open(const Tcp::endpoint& endpoint) {
  SystemError problem = try_open(endpoint);
  if (problem && endpoint.address() == net::ip::address_v6::any()) {
    // A kernel without IPv6.
    problem = try_open(Tcp::endpoint(Tcp::v4(), endpoint.port()));
  }
  if (!problem) return {};
  return base::Error{base::ErrorKind::failed, "cannot listen: " + problem.message(),
                     in_words(endpoint), "choose another port, or 0 for any free port"};
}

SystemError Listener::try_open(const Tcp::endpoint& endpoint) {
  SystemError problem, ignored;
  acceptor_.close(ignored);
  acceptor_.open(endpoint.protocol(), problem);
  if (problem) return problem;
  keep_from_children(acceptor_);
  // What an earlier monitor left behind in TIME_WAIT keeps nobody away.
  acceptor_.set_option(Tcp::acceptor::reuse_address(true), problem);
  // Every interface is meant of IPv4 too, whatever the machine's default is.
  if (endpoint.address().is_v6()) acceptor_.set_option(net::ip::v6_only(false), ignored);
  if (!problem) acceptor_.bind(endpoint, problem);
  if (!problem) acceptor_.listen(Tcp::acceptor::max_listen_connections, problem);
  return problem;
}

void Listener::accept() {
  if (!service_.connections.make_room(std::chrono::steady_clock::now())) return accept_later();
  acceptor_.async_accept([this](SystemError problem, Tcp::socket socket) {
    if (problem == net::error::operation_aborted) return;
    if (problem) return accept_later();
    // First of all: a session for which there is no memory ends no others.
    accept();
    begin(std::move(socket));
  });
}

Tcp::endpoint Listener::endpoint() const {
  SystemError ignored;
  return acceptor_.local_endpoint(ignored);
}

void Listener::begin(Tcp::socket socket) {
  keep_from_children(socket);
  // The end of an answer goes out at once, and does not wait until its begin is acknowledged.
  SystemError ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  if (tls_ == nullptr) {
    std::make_shared<Session<beast::tcp_stream>>(service_, std::move(socket))->start();
  } else {
    std::make_shared<Session<beast::ssl_stream<beast::tcp_stream>>>(service_, std::move(socket),
                                                                    tls_->context())
        ->start();
  }
}

void Listener::accept_later() {
  pause_.expires_after(kPause);
  pause_.async_wait([this](SystemError problem) {
    if (!problem) accept();
  });
}

}  // namespace batchscope::exporter
