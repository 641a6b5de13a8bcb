#include "process_memory.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace batchscope::ranges {
namespace {

// "VmRSS:     1234 kB"
std::optional<int64_t> bytes_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  int64_t kibibytes = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), kibibytes);
  if (parsed.ec != std::errc()) return std::nullopt;
  return kibibytes * 1024;
}

}  // namespace

ProcessMemory::MemoryReading ProcessMemory::read() const {
  const auto text = root_.read("/proc/self/status");
  if (!text) return {};
  return {bytes_after(*text, "VmRSS:"), bytes_after(*text, "VmHWM:")};
}

bool ProcessMemory::reset_peak() const {
  return root_.write("/proc/self/clear_refs", "5");
}

void ProcessMemory::keep(std::optional<int64_t> peak) {
  if (!resets_) return;
  for (auto& [id, highest] : open_) highest = std::max(highest, peak);
}

ProcessMemory::Span ProcessMemory::begin() {
  const std::lock_guard lock(mutex_);
  const MemoryReading reading = read();
  keep(reading.peak);
  resets_ = resets_ && reset_peak();
  const uint64_t id = ++last_id_;
  open_[id] = resets_ ? reading.now : reading.peak;
  return {id, reading.now};
}

MemoryUse ProcessMemory::end(const Span& span) {
  const std::lock_guard lock(mutex_);
  const MemoryReading reading = read();
  keep(reading.peak);
  MemoryUse use{span.before_bytes, reading.now, std::nullopt};
  const auto found = open_.find(span.id);
  if (found == open_.end()) return use;
  const std::optional<int64_t> highest = found->second;
  open_.erase(found);
  if (resets_) {
    use.peak_bytes = highest;
  } else if (reading.peak > highest) {
    use.peak_bytes = reading.peak;  // the process was never higher before this span
  }
  return use;
}

}  // namespace batchscope::ranges
