#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

// Named ranges for profilers that listen to NVTX (nsys, ncu, CUPTI), in a domain of their own,
// "batchscope".
namespace batchscope::ranges::nvtx {

struct OpenRange;

namespace detail {

enum class Found : uint8_t { not_looked_for, none, a_tool };
extern std::atomic<Found> found;
// Looks for one where nobody has.
bool look();

}  // namespace detail

// Whether a tool is attached to this process. That is decided at the first call and never changes,
// because NVTX loads a tool once, by what the environment says then; from there on it is a look at
// a flag. Always false in a build without NVTX's headers.
inline bool attached() {
  const auto known = detail::found.load(std::memory_order_relaxed);
  if (known == detail::Found::none) return false;
  return known == detail::Found::a_tool || detail::look();
}

// A range that an attached tool shows; without one it does nothing. It can be moved, and ended
// once, from any thread. A tool keeps one stack of ranges a thread, which leaves two things to be
// defined:
// - A range that ends before one inside it: the inner one goes on, and is shown as two.
// - A range that ends on another thread: the tool is told when its own thread begins or ends its
//   next one, or ends itself.
class [[nodiscard]] ScopedRange {
 public:
  ScopedRange() = default;
  // The name is copied.
  explicit ScopedRange(std::string_view name) {
    if (attached()) begin(name);
  }
  ScopedRange(ScopedRange&& other) noexcept = default;
  ScopedRange& operator=(ScopedRange&& other) noexcept;  // ends the range it held before
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;
  ~ScopedRange() { end(); }

  // Ends it now; nothing happens if it has ended already.
  void end() noexcept {
    if (open_) end_open();
  }

 private:
  void begin(std::string_view name);
  void end_open() noexcept;

  std::shared_ptr<OpenRange> open_;
};

}  // namespace batchscope::ranges::nvtx
