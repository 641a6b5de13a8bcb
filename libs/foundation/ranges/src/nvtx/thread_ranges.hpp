#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tool.hpp"

namespace batchscope::ranges::nvtx {

class ThreadRanges;

struct OpenRange {
  const Name* name = nullptr;
  const ThreadRanges* thread = nullptr;  // on which it began; may be gone
  std::atomic<bool> ended{false};
};

// Keeps one of each name, whose address stays.
class Names {
 public:
  explicit Names(Tool& tool) : tool_(tool) {}
  const Name& find(std::string_view text);

 private:
  Tool& tool_;
  std::mutex mutex_;
  std::unordered_map<std::string, Name> names_;
};

// The ranges that one thread has open, as the tool has them on its stack. All of it is for that
// thread alone, but for OpenRange::ended.
class ThreadRanges {
 public:
  ThreadRanges(Tool& tool, Names& names) : tool_(tool), names_(names) {}
  ~ThreadRanges();  // on that thread, which ends: so do its ranges
  ThreadRanges(const ThreadRanges&) = delete;
  ThreadRanges& operator=(const ThreadRanges&) = delete;

  std::shared_ptr<OpenRange> begin(std::string_view name);
  // Tells the tool of all that have ended, wherever they lie. What lies above them is taken off and
  // put back, because only the top of a tool's stack can be taken off.
  void close_ended() noexcept;

 private:
  Tool& tool_;
  Names& names_;
  std::vector<std::shared_ptr<OpenRange>> open_;
};

}  // namespace batchscope::ranges::nvtx
