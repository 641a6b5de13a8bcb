#include "batchscope/exporter/metrics_server.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "security/web_config.hpp"
#include "server/listener.hpp"
#include "server/password_checker.hpp"

namespace batchscope::exporter {
namespace {

base::Error no_address(const std::string& text, const std::string& why) {
  return {base::ErrorKind::usage, "'" + text + "' is not an address to listen on: " + why, "",
          "write HOST:PORT, such as 127.0.0.1:9430, [::1]:9430, or :9430 for every interface"};
}

std::optional<uint16_t> port_in(const std::string& text) {
  uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return port;
}

// Errors: usage, where it is no address, or its host has none here.
base::Result<Tcp::endpoint> listen_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return no_address(text, "the port is missing");
  const auto port = port_in(text.substr(colon + 1));
  if (!port) return no_address(text, "the port is not a number from 0 to 65535");
  std::string host = text.substr(0, colon);
  // IPv6 takes IPv4 as well on every interface.
  if (host.empty()) return Tcp::endpoint(Tcp::v6(), *port);
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  SystemError problem;
  const auto address = net::ip::make_address(host, problem);
  if (!problem) return Tcp::endpoint(address, *port);
  net::io_context io;
  const auto found = Tcp::resolver(io).resolve(host, std::to_string(*port), problem);
  if (problem || found.empty()) return no_address(text, "the host name is unknown");
  return found.begin()->endpoint();
}

constexpr int kLeastConnections = 8;

// A quarter of the files that may be open: the monitor reads some itself.
std::size_t room_for(int most_connections) {
  rlimit files{};
  int room = most_connections;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY) {
    room = static_cast<int>(std::min<rlim_t>(files.rlim_cur / 4, static_cast<rlim_t>(room)));
  }
  return static_cast<std::size_t>(std::max(kLeastConnections, room));
}

std::vector<std::string> warnings_of(const WebConfig& config, const Tcp::endpoint& endpoint) {
  std::vector<std::string> warnings = config.warnings;
  if (endpoint.address().is_loopback()) return warnings;
  if (config.users.empty()) {
    warnings.push_back(
        "anyone who can reach this machine can read its metrics, because no password is set");
  } else if (!config.has_tls()) {
    warnings.push_back("passwords and metrics cross the network unencrypted, because TLS is off");
  }
  return warnings;
}

// Signals are for the thread that expects them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

class HttpServer final : public MetricsServer {
 public:
  HttpServer(const ServerOptions& options, WebConfig config, std::unique_ptr<Tls> tls)
      : names_(options.names),
        origin_(options.origin),
        board_(options.now, options.interval, options.origin.version),
        passwords_(config.users),
        connections_(room_for(options.most_connections)),
        tls_(std::move(tls)),
        config_(std::move(config)),
        gate_(passwords_, io_),
        service_{board_, passwords_, gate_, connections_, options.request_timeout},
        listener_(io_, service_, tls_.get()) {}
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer() override {
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  base::Result<void> serve(const Tcp::endpoint& endpoint) {
    const auto opened = listener_.open(endpoint);
    if (!opened) return opened;
    listener_.accept();
    thread_ = std::thread([this] { work(); });
    return {};
  }

  void publish(MetricsSnapshot exposition) override {
    remember(exposition);
    exposition.gpu_last_success_ns = last_success_ns_;
    exposition.gpu_last_xid = last_xid_;
    board_.show(prometheus_text(exposition, names_, origin_));
  }

  std::string address() const override {
    const auto endpoint = listener_.endpoint();
    const std::string host = endpoint.address().to_string();
    return (config_.has_tls() ? "https://" : "http://") +
           (endpoint.address().is_v6() ? '[' + host + ']' : host) + ':' +
           std::to_string(endpoint.port());
  }

  std::vector<std::string> warnings() const override {
    return warnings_of(config_, listener_.endpoint());
  }

 private:
  // One request that goes wrong ends no others.
  void work() {
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception&) {
        continue;
      }
    }
  }

  void remember(const MetricsSnapshot& exposition) {
    for (const auto& gpu : exposition.sample.gpus) {
      if (!gpu.up) continue;
      last_success_ns_[gpu.gpu] = gpu.read_ns;
      auto& before = xids_[gpu.gpu];
      for (const auto& [xid, count] : gpu.xid_errors_total) {
        if (count > before[xid]) last_xid_[gpu.gpu] = xid;
      }
      before = gpu.xid_errors_total;
    }
  }

  Names names_;
  ExporterInfo origin_;
  std::map<std::string, int64_t> last_success_ns_;
  std::map<std::string, std::string> last_xid_;
  std::map<std::string, telemetry::CountByName> xids_;
  PageCache board_;
  Passwords passwords_;
  Connections connections_;
  std::unique_ptr<Tls> tls_;
  WebConfig config_;
  // What waits in it refers to what stands above.
  net::io_context io_{1};
  PasswordChecker gate_;
  Service service_;
  Listener listener_;
  std::thread thread_;
};

base::Result<std::unique_ptr<MetricsServer>> started(const ServerOptions& options, WebConfig config,
                                                     const Tcp::endpoint& endpoint) {
  std::unique_ptr<Tls> tls;
  if (config.has_tls()) {
    auto opened = Tls::open(config.tls);
    if (!opened) return opened.error();
    tls = std::move(*opened);
  }
  const SignalsBlocked blocked;
  auto server = std::make_unique<HttpServer>(options, std::move(config), std::move(tls));
  const auto serves = server->serve(endpoint);
  if (!serves) return serves.error();
  return std::unique_ptr<MetricsServer>(std::move(server));
}

}  // namespace

base::Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const ServerOptions& options) {
  const auto endpoint = listen_address(options.address);
  if (!endpoint) return endpoint.error();
  WebConfig config;
  if (!options.web_config.empty()) {
    auto read = read_web_config(options.web_config);
    if (!read) return read.error();
    config = std::move(*read);
  }
  try {
    return started(options, std::move(config), *endpoint);
  } catch (const std::system_error& error) {
    return base::Error{base::ErrorKind::failed,
                       std::string("cannot serve metrics: ") + error.what(), options.address,
                       "raise the limits of threads and open files (ulimit)"};
  }
}

}  // namespace batchscope::exporter
