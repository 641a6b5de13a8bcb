#include <utility>

#include "batchscope/ranges/nvtx.hpp"
#include "thread_ranges.hpp"

namespace batchscope::ranges::nvtx {
namespace detail {

std::atomic<Found> found{Found::not_looked_for};

}  // namespace detail

namespace {

// Never destroyed: ranges end while static objects go, too.
struct Attached {
  explicit Attached(std::unique_ptr<Tool> found) : tool(std::move(found)), names(*tool) {}
  std::unique_ptr<Tool> tool;
  Names names;
};

Attached* process_tool() {
  static Attached* const attached = []() -> Attached* {
    auto tool = find_tool();
    return tool ? new Attached(std::move(tool)) : nullptr;
  }();
  return attached;
}

// Null before the first range of the thread, and when the thread is ending.
ThreadRanges*& own_ranges() {
  thread_local ThreadRanges* own = nullptr;
  return own;
}

class OwnRanges {
 public:
  explicit OwnRanges(Attached& attached) : ranges_(*attached.tool, attached.names) {
    own_ranges() = &ranges_;
  }
  ~OwnRanges() { own_ranges() = nullptr; }

 private:
  ThreadRanges ranges_;
};

}  // namespace

bool detail::look() {
  const bool is_there = process_tool() != nullptr;
  found.store(is_there ? Found::a_tool : Found::none, std::memory_order_relaxed);
  return is_there;
}

ScopedRange& ScopedRange::operator=(ScopedRange&& other) noexcept {
  if (this == &other) return *this;
  end();
  open_ = std::move(other.open_);
  return *this;
}

void ScopedRange::begin(std::string_view name) {
  thread_local const OwnRanges own(*process_tool());
  if (ThreadRanges* const ranges = own_ranges()) open_ = ranges->begin(name);
}

void ScopedRange::end_open() noexcept {
  const std::shared_ptr<OpenRange> ended = std::exchange(open_, nullptr);
  ended->ended.store(true, std::memory_order_release);
  ThreadRanges* const ranges = own_ranges();
  if (ranges == ended->thread) ranges->close_ended();
}

}  // namespace batchscope::ranges::nvtx
