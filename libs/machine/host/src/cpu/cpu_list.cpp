#include "batchscope/host/cpu_list.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "batchscope/base/strings.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// Far beyond CONFIG_NR_CPUS (8192); keeps a damaged file from asking for all of the memory.
constexpr int64_t kMostCpus = 65536;

std::optional<CpuList> parse_item(std::string_view item) {
  const size_t dash = item.find('-');
  const auto first = parse_integer(item.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_integer(item.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last >= kMostCpus) return std::nullopt;
  CpuList cpus;
  for (int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  return cpus;
}

}  // namespace

CpuList parse_cpu_list(std::string_view text) {
  CpuList all;
  for (const std::string_view item : base::split(base::trim(text), ',')) {
    const auto cpus = parse_item(base::trim(item));
    if (!cpus) return {};
    all.insert(all.end(), cpus->begin(), cpus->end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string format_cpu_list(const CpuList& cpus) {
  std::string text;
  for (size_t i = 0; i < cpus.size();) {
    size_t end = i + 1;
    while (end < cpus.size() && cpus[end] == cpus[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (end - i > 1) text += '-' + std::to_string(cpus[end - 1]);
    i = end;
  }
  return text;
}

CpuList current_affinity() {
  // The kernel refuses a mask shorter than its own with EINVAL, so the mask grows until it fits.
  for (int capacity = 1024; capacity <= kMostCpus; capacity *= 4) {
    cpu_set_t* mask = CPU_ALLOC(static_cast<size_t>(capacity));
    if (mask == nullptr) return {};
    const size_t bytes = CPU_ALLOC_SIZE(static_cast<size_t>(capacity));
    const bool read = sched_getaffinity(0, bytes, mask) == 0;
    const bool too_short = !read && errno == EINVAL;
    CpuList cpus;
    for (int cpu = 0; read && cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<size_t>(cpu), bytes, mask)) cpus.push_back(cpu);
    }
    CPU_FREE(mask);
    if (!too_short) return cpus;
  }
  return {};
}

}  // namespace batchscope::host
