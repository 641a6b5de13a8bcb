#pragma once

#include "batchscope/base/result.hpp"
#include "server/session.hpp"
#include "server/tls.hpp"

namespace batchscope::exporter {

// Takes connections as long as there is room for them, and begins a session for each.
class Listener {
 public:
  Listener(net::io_context& io, Service& service, Tls* tls)
      : acceptor_(io), pause_(io), service_(service), tls_(tls) {}

  // Errors: failed (the address is taken, is none of this machine, or needs more rights).
  base::Result<void> open(const Tcp::endpoint& endpoint);
  void accept();
  Tcp::endpoint endpoint() const;

 private:
  SystemError try_open(const Tcp::endpoint& endpoint);
  void begin(Tcp::socket socket);
  void accept_later();

  Tcp::acceptor acceptor_;
  net::steady_timer pause_;
  Service& service_;
  Tls* tls_;  // null: none
};

}  // namespace batchscope::exporter
