#pragma once

#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "server/asio.hpp"
#include "server/connections.hpp"
#include "server/page_cache.hpp"
#include "server/password_checker.hpp"

namespace batchscope::exporter {

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

// What all sessions share.
struct Service {
  const PageCache& board;
  const Passwords& passwords;
  PasswordChecker& gate;
  Connections& connections;
  std::chrono::nanoseconds request_timeout;
};

// How long the scraper waits at most, where it says so (X-Prometheus-Scrape-Timeout-Seconds).
std::chrono::nanoseconds scrape_timeout(const Request& request, std::chrono::nanoseconds most);
// The answer that needs no page: to a method that is not known, or a body.
std::optional<Reply> refusal(const Request& request);
std::string path_of(const Request& request);
bool asks_for_password(const Request& request);
Reply unauthorised(Verdict verdict);
Response response_to(const Request& request, Reply answer, bool keep);
// To what is no request. Nothing where the client is gone.
std::optional<Response> response_to_nonsense(SystemError problem);

// One connection, plain or with TLS: a request, its answer, the next request. It lives as long as
// something that it waits for.
template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <class... With>
  explicit Session(Service& service, Tcp::socket socket, With&... with)
      : service_(service),
        connections_(service.connections),
        stream_(std::move(socket), with...),
        ticket_(connections_.add(*this, now())) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override { connections_.remove(ticket_); }

  void start() {
    tcp().expires_after(service_.request_timeout);
    if constexpr (kTls) {
      stream_.async_handshake(net::ssl::stream_base::server, [self = self()](SystemError problem) {
        if (!problem) self->read(self->service_.request_timeout);
      });
    } else {
      read(service_.request_timeout);
    }
  }

  void drop() override { tcp().close(); }

 private:
  static constexpr bool kTls = !std::is_same_v<Stream, beast::tcp_stream>;
  static constexpr unsigned kMostHeader = 8192;
  static constexpr std::chrono::minutes kIdle{2};

  static std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }
  std::shared_ptr<Session> self() { return this->shared_from_this(); }
  beast::tcp_stream& tcp() { return beast::get_lowest_layer(stream_); }

  void read(std::chrono::nanoseconds within) {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    tcp().expires_after(within);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = self()](SystemError problem, std::size_t) {
                              if (problem) return self->read_nonsense(problem);
                              self->let_in();
                            });
  }

  void read_nonsense(SystemError problem) {
    if (auto response = response_to_nonsense(problem)) {
      write(std::move(*response));
    } else if (problem == http::error::end_of_stream) {
      close();
    }
  }

  void let_in() {
    const Request& request = parser_->get();
    if (auto refused = refusal(request)) return answer(std::move(*refused));
    if (!service_.passwords.asked_for() || !asks_for_password(request)) return show();
    const auto header = request[http::field::authorization];
    auto credential = basic_credential({header.data(), header.size()});
    if (!credential) return answer(unauthorised(Verdict::wrong));
    tcp().expires_never();
    const auto until = now() + scrape_timeout(request, service_.request_timeout);
    service_.gate.ask(std::move(*credential), until, [self = self()](Verdict verdict) {
      if (verdict == Verdict::right) return self->show();
      self->answer(unauthorised(verdict));
    });
  }

  void show() { answer(service_.board.page(path_of(parser_->get()))); }

  void answer(Reply made) {
    const Request& request = parser_->get();
    tcp().expires_after(scrape_timeout(request, service_.request_timeout));
    const bool keep = request.keep_alive() && made.status < 400;
    write(response_to(request, std::move(made), keep));
  }

  void write(Response response) {
    response_ = std::move(response);
    http::async_write(stream_, response_, [self = self()](SystemError problem, std::size_t) {
      if (problem) return;
      if (!self->response_.keep_alive()) return self->close();
      self->connections_.served(self->ticket_, now());
      self->read(kIdle);
    });
  }

  void close() {
    tcp().expires_after(service_.request_timeout);
    if constexpr (kTls) {
      stream_.async_shutdown([self = self()](SystemError) {});
    } else {
      linger();
    }
  }

  // What is closed while something unread is there sends a reset, which may overtake the answer.
  void linger() {
    SystemError ignored;
    tcp().socket().shutdown(Tcp::socket::shutdown_send, ignored);
    drain();
  }

  void drain() {
    buffer_.clear();
    if (drained_ > kMostDrained) return;
    tcp().async_read_some(buffer_.prepare(kMostHeader),
                          [self = self()](SystemError problem, std::size_t bytes) {
                            self->drained_ += bytes;
                            if (!problem) self->drain();
                          });
  }

  static constexpr std::size_t kMostDrained = 1 << 20;

  Service& service_;
  Connections& connections_;  // lives longer than the service
  Stream stream_;
  beast::flat_buffer buffer_{2 * kMostHeader};
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
  std::size_t drained_ = 0;
  Connections::Ticket ticket_;
};

}  // namespace batchscope::exporter
