#include "batchscope/host/hardware_counters.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <optional>
#include <system_error>
#include <vector>

#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

struct Counted {
  const char* name;
  uint32_t type;
  uint64_t config;
};

constexpr uint64_t read_miss(uint64_t cache) {
  return cache | (uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8) |
         (uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16);
}

constexpr std::array kCounted = {
    Counted{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Counted{"ref_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    Counted{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Counted{"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    Counted{"llc_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Counted{"dtlb_misses", PERF_TYPE_HW_CACHE, read_miss(PERF_COUNT_HW_CACHE_DTLB)},
    Counted{"remote_loads", PERF_TYPE_HW_CACHE, read_miss(PERF_COUNT_HW_CACHE_NODE)}};

int open_counter(const Counted& counted, int64_t thread) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = counted.type;
  attributes.config = counted.config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;  // what perf_event_paranoid = 2 still allows
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, static_cast<pid_t>(thread), -1,
                                  -1, PERF_FLAG_FD_CLOEXEC));
}

// The count scaled to the time in which the counter had a register; nothing when it never had one.
std::optional<double> read_counter(int fd) {
  struct {
    uint64_t value, enabled_ns, running_ns;
  } reading{};
  if (read(fd, &reading, sizeof reading) != sizeof reading) return std::nullopt;
  if (reading.enabled_ns == 0) return 0;  // a thread that did not run
  if (reading.running_ns == 0) return std::nullopt;
  const double share =
      static_cast<double>(reading.enabled_ns) / static_cast<double>(reading.running_ns);
  return static_cast<double>(reading.value) * share;
}

}  // namespace

struct HardwareCounters::Open {
  std::array<std::vector<int>, kCounted.size()> descriptors;  // one a thread
  // Why it was refused to some thread: the sum would not be whole. Empty where it was not.
  std::array<std::string, kCounted.size()> refused{};

  void all(unsigned long request) const {
    for (const auto& threads : descriptors) {
      for (const int fd : threads) ioctl(fd, request, 0);
    }
  }
};

HardwareCounters::HardwareCounters(const base::SystemRoot& root) : open_(std::make_unique<Open>()) {
  for (const std::string& name : root.list("/proc/self/task")) {
    const auto thread = parse_integer(name);
    if (!thread) continue;
    for (std::size_t i = 0; i < kCounted.size(); ++i) {
      const int fd = open_counter(kCounted[i], *thread);
      if (fd >= 0) {
        open_->descriptors[i].push_back(fd);
      } else {
        open_->refused[i] = "perf_event_open: " + std::generic_category().message(errno);
      }
    }
  }
}

HardwareCounters::~HardwareCounters() {
  for (const auto& threads : open_->descriptors) {
    for (const int fd : threads) close(fd);
  }
}

void HardwareCounters::start() {
  open_->all(PERF_EVENT_IOC_RESET);
  open_->all(PERF_EVENT_IOC_ENABLE);
}

void HardwareCounters::stop() {
  open_->all(PERF_EVENT_IOC_DISABLE);
}

std::map<std::string, int64_t> HardwareCounters::counts() const {
  std::map<std::string, int64_t> counts;
  for (std::size_t i = 0; i < kCounted.size(); ++i) {
    double sum = 0;
    bool full = !open_->descriptors[i].empty() && open_->refused[i].empty();
    for (const int fd : open_->descriptors[i]) {
      const auto count = read_counter(fd);
      full = full && count.has_value();
      sum += count.value_or(0);
    }
    if (full) counts[kCounted[i].name] = std::llround(sum);
  }
  return counts;
}

std::map<std::string, std::string> HardwareCounters::absent() const {
  const auto counted = counts();
  std::map<std::string, std::string> reasons;
  for (std::size_t i = 0; i < kCounted.size(); ++i) {
    if (counted.count(kCounted[i].name) > 0) continue;
    const std::string& refused = open_->refused[i];
    reasons[kCounted[i].name] =
        refused.empty() ? "the processor had no free counter register for it" : refused;
  }
  if (counted.empty()) reasons = {{"counters", reasons.begin()->second}};
  return reasons;
}

}  // namespace batchscope::host
