#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace batchscope::exporter {

struct Reply {
  unsigned status = 200;
  std::string type;
  std::string body;
  // Of the header that the status asks for ("Allow", "WWW-Authenticate", "Retry-After").
  std::string field, value;
};

Reply plain_reply(unsigned status, std::string sentence);

// What is shown, by the page; safe to call from several threads. No lock is held while a text is
// made, so whoever asks never waits.
class PageCache {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  PageCache(Clock now, std::chrono::nanoseconds interval, std::string version);

  void show(std::string metrics);
  Reply page(std::string_view path) const;

 private:
  Reply health() const;
  Reply metrics() const;
  Reply landing() const;

  Clock now_;
  std::chrono::nanoseconds interval_;
  std::string version_;
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> metrics_;  // null before the first
  std::chrono::steady_clock::time_point shown_{};
};

}  // namespace batchscope::exporter
