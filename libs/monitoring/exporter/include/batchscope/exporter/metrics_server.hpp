#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/exporter/metrics_snapshot.hpp"

namespace batchscope::exporter {

inline constexpr char kDefaultAddress[] = "127.0.0.1:9430";

struct ServerOptions {
  // "HOST:PORT", "[::1]:PORT"; ":PORT" is every interface. Port 0: one that is free.
  std::string address = kDefaultAddress;
  // A file as web.yml of Prometheus' exporters, with TLS and passwords; empty: neither.
  std::string web_config;
  Names names = Names::batchscope;
  ExporterInfo origin;
  std::chrono::nanoseconds interval = std::chrono::seconds(1);  // between samples
  // Of a request, from its connection to its last byte; a scraper that wants less says so.
  std::chrono::nanoseconds request_timeout = std::chrono::seconds(5);
  int most_connections = 512;  // fewer where few files may be open
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

// Shows what was published last, by HTTP: /metrics for Prometheus, /healthz (200 while samples
// come, else 503 with the reason; it asks for no password), and / for people. A scrape copies a
// text that is there already, so it costs the machine nothing and waits for nobody.
class MetricsServer {
 public:
  // Errors: usage (an address that is none), input (the configuration), failed (the port is taken
  // or forbidden).
  static base::Result<std::unique_ptr<MetricsServer>> start(const ServerOptions& options);

  virtual ~MetricsServer() = default;
  // From one thread.
  virtual void publish(MetricsSnapshot exposition) = 0;
  virtual std::string address() const = 0;  // "http://127.0.0.1:9430"
  // What is unsafe in how it was started, one sentence each.
  virtual std::vector<std::string> warnings() const = 0;
};

}  // namespace batchscope::exporter
