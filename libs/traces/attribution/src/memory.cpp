#include "batchscope/attribution/memory.hpp"

#include <algorithm>
#include <map>

namespace batchscope::attribution {
namespace {

constexpr size_t kSegments = 400;

int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// Moments after each event, in the order of time.
std::vector<MemoryMoment> moments_of(const std::vector<const trace::MemoryEvent*>& events,
                                     bool has_totals) {
  std::vector<MemoryMoment> moments;
  moments.reserve(events.size());
  int64_t sum = 0;
  for (const trace::MemoryEvent* event : events) {
    sum = wrapping_sum(sum, event->bytes);
    const int64_t allocated = has_totals ? event->total_allocated_bytes : sum;
    moments.push_back({event->time_ns, allocated, event->total_reserved_bytes});
  }
  return moments;
}

std::vector<MemoryMoment> thinned(const std::vector<MemoryMoment>& moments) {
  if (moments.size() <= kSegments) return moments;
  std::vector<MemoryMoment> kept;
  for (size_t i = 0; i < kSegments; ++i) {
    const size_t first = i * moments.size() / kSegments;
    const size_t last = (i + 1) * moments.size() / kSegments;
    const auto begin = moments.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = moments.begin() + static_cast<std::ptrdiff_t>(last);
    kept.push_back(*std::max_element(begin, end, [](const auto& a, const auto& b) {
      return a.allocated_bytes < b.allocated_bytes;
    }));
  }
  return kept;
}

// `held`: before the first moment.
void add_steps(const std::vector<MemoryMoment>& moments, const std::vector<Step>& steps,
               int64_t held, DeviceMemory& memory) {
  auto moment = moments.begin();
  for (const Step& step : steps) {
    for (; moment != moments.end() && moment->time_ns < step.start_ns; ++moment) {
      held = moment->allocated_bytes;
    }
    const int64_t at_start = held;
    int64_t peak = held;
    for (; moment != moments.end() && moment->time_ns < step.end_ns; ++moment) {
      held = moment->allocated_bytes;
      peak = std::max(peak, held);
    }
    memory.at_step_end.push_back(held);
    memory.rise_in_step.push_back(wrapping_sum(peak, -at_start));
  }
}

DeviceMemory summed(int64_t device, const std::vector<const trace::MemoryEvent*>& events,
                    const std::vector<Step>& steps) {
  DeviceMemory memory;
  memory.device = device;
  memory.events = static_cast<int64_t>(events.size());
  memory.has_totals = std::any_of(events.begin(), events.end(), [](const auto* event) {
    return event->total_allocated_bytes != 0;
  });
  const std::vector<MemoryMoment> moments = moments_of(events, memory.has_totals);
  memory.peak = moments.front();
  memory.lowest_bytes = moments.front().allocated_bytes;
  for (const MemoryMoment& moment : moments) {
    if (moment.allocated_bytes > memory.peak.allocated_bytes) memory.peak = moment;
    memory.peak_reserved_bytes = std::max(memory.peak_reserved_bytes, moment.reserved_bytes);
    memory.lowest_bytes = std::min(memory.lowest_bytes, moment.allocated_bytes);
  }
  const int64_t before = wrapping_sum(moments.front().allocated_bytes, -events.front()->bytes);
  add_steps(moments, steps, before, memory);
  memory.timeline = thinned(moments);
  return memory;
}

}  // namespace

std::vector<DeviceMemory> memory_of(const trace::Trace& trace, const std::vector<Step>& steps) {
  std::map<int64_t, std::vector<const trace::MemoryEvent*>> by_device;
  for (const trace::MemoryEvent& event : trace.memory) {
    if (event.device >= 0) by_device[event.device].push_back(&event);
  }
  std::vector<DeviceMemory> result;
  for (const auto& [device, events] : by_device) result.push_back(summed(device, events, steps));
  return result;
}

}  // namespace batchscope::attribution
