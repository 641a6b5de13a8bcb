#include "server/page_cache.hpp"

#include <algorithm>
#include <utility>

#include "batchscope/base/units.hpp"

namespace batchscope::exporter {
namespace {

constexpr std::chrono::seconds kLeastLimit(10);
constexpr int kIntervals = 3;
constexpr char kNothingYet[] = "no sample yet";

std::string html(std::string_view version) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>batchscope "
         "monitor</title></head>\n"
         "<body><h1>batchscope monitor</h1>\n<p>Version " +
         std::string(version) +
         "</p>\n<ul><li><a href=\"metrics\">Metrics</a> for Prometheus</li>\n<li><a "
         "href=\"healthz\">Health</a>: whether samples arrive</li></ul></body></html>\n";
}

}  // namespace

Reply plain_reply(unsigned status, std::string sentence) {
  return {status, "text/plain; charset=utf-8", std::move(sentence) + "\n", "", ""};
}

PageCache::PageCache(Clock now, std::chrono::nanoseconds interval, std::string version)
    : now_(std::move(now)), interval_(interval), version_(std::move(version)) {}

void PageCache::show(std::string metrics) {
  auto text = std::make_shared<const std::string>(std::move(metrics));
  const auto now = now_();
  const std::lock_guard lock(mutex_);
  metrics_.swap(text);
  shown_ = now;
}

Reply PageCache::page(std::string_view path) const {
  if (path == "/metrics") return metrics();
  if (path == "/healthz") return health();
  if (path == "/") return landing();
  return plain_reply(404, "available: /metrics, /healthz and /");
}

Reply PageCache::metrics() const {
  std::shared_ptr<const std::string> text;
  {
    const std::lock_guard lock(mutex_);
    text = metrics_;
  }
  if (!text) return plain_reply(503, kNothingYet);
  return {200, "text/plain; version=0.0.4; charset=utf-8", *text, "", ""};
}

Reply PageCache::health() const {
  const auto now = now_();
  const std::lock_guard lock(mutex_);
  if (!metrics_) return plain_reply(503, kNothingYet);
  const auto limit = std::max<std::chrono::nanoseconds>(kLeastLimit, kIntervals * interval_);
  if (now - shown_ < limit) return plain_reply(200, "ok");
  return plain_reply(503, "the last sample is " + base::format_duration(now - shown_) +
                              " old; the interval is " + base::format_duration(interval_));
}

Reply PageCache::landing() const {
  return {200, "text/html; charset=utf-8", html(version_), "", ""};
}

}  // namespace batchscope::exporter
