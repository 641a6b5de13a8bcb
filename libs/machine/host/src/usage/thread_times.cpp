#include "batchscope/host/thread_times.hpp"

#include <algorithm>
#include <ctime>
#include <functional>

#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kKibibyte = 1024;

// The kernel's number for the CPU clock of a thread: clock_getcpuclockid(3) knows processes only.
clockid_t clock_of(int64_t thread) {
  constexpr unsigned kPerThreadScheduled = 6;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | kPerThreadScheduled);
}

}  // namespace

ThreadTimes read_thread_times(const base::SystemRoot& root) {
  ThreadTimes times;
  for (const std::string& name : root.list("/proc/self/task")) {
    const auto thread = parse_integer(name);
    timespec time{};
    if (!thread || clock_gettime(clock_of(*thread), &time) != 0) continue;
    times[static_cast<int>(*thread)] = int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  return times;
}

std::vector<int64_t> busy_between(const ThreadTimes& before, const ThreadTimes& after) {
  std::vector<int64_t> busy;
  for (const auto& [thread, time] : after) {
    const auto known = before.find(thread);
    const int64_t used = time - (known == before.end() ? 0 : known->second);
    if (used > 0) busy.push_back(used);
  }
  std::sort(busy.begin(), busy.end(), std::greater<>());
  return busy;
}

std::optional<HugePages> read_huge_pages(const base::SystemRoot& root) {
  const std::string text = root.read("/proc/self/smaps_rollup").value_or("");
  const auto anonymous = find_number(text, "Anonymous"), huge = find_number(text, "AnonHugePages");
  if (!anonymous || !huge) return std::nullopt;
  return HugePages{*anonymous * kKibibyte, *huge * kKibibyte};
}

}  // namespace batchscope::host
