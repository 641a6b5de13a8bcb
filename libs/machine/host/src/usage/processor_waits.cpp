#include "batchscope/host/processor_waits.hpp"

#include <algorithm>
#include <string>

#include "batchscope/host/cpu_time.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// "CPU time, time in the run queue, slices", in ns. A kernel that keeps no account writes zeros.
struct Account {
  int64_t wait_ns = 0;
  int64_t slices = 0;
};

std::optional<Account> parse_account(std::string_view text) {
  const auto fields = split_fields(text.substr(0, text.find('\n')));
  if (fields.size() < 3) return std::nullopt;
  const auto wait = parse_integer(fields[1]), slices = parse_integer(fields[2]);
  return wait && slices && *wait >= 0 ? std::optional(Account{*wait, *slices}) : std::nullopt;
}

// The reading thread itself has had a slice, so that no slice at all means no account.
std::optional<std::map<int, int64_t>> read_threads(const base::SystemRoot& root) {
  std::map<int, int64_t> threads;
  bool counted = false;
  for (const std::string& name : root.list("/proc/self/task")) {
    const auto thread = parse_integer(name);
    const auto text = root.read("/proc/self/task/" + name + "/schedstat");
    const auto account = thread && text ? parse_account(*text) : std::nullopt;
    if (!account) continue;  // ended since the folder was listed
    threads[static_cast<int>(*thread)] = account->wait_ns;
    counted = counted || account->slices > 0;
  }
  if (!counted) return std::nullopt;
  return threads;
}

int64_t waited(const std::map<int, int64_t>& before, int thread, int64_t now) {
  const auto known = before.find(thread);
  // Less than before: another thread under the number of one that ended.
  if (known == before.end() || now < known->second) return now;
  return now - known->second;
}

}  // namespace

ProcessorWaits read_processor_waits(const base::SystemRoot& root, const CpuList& cpus) {
  ProcessorWaits waits;
  waits.threads = read_threads(root);
  const auto text = root.read("/proc/stat");
  if (const auto time = text ? parse_cpu_time(*text, cpus) : std::nullopt) {
    waits.steal_ns = time->steal_ns;
    waits.total_ns = time->total_ns;
  }
  return waits;
}

void put_waits(const ProcessorWaits& before, const ProcessorWaits& after, schema::Usage& usage) {
  if (before.threads && after.threads) {
    int64_t sum = 0, longest = 0;
    for (const auto& [thread, now] : *after.threads) {
      const int64_t wait = waited(*before.threads, thread, now);
      sum += wait;
      longest = std::max(longest, wait);
    }
    usage.wait_ns = sum;
    usage.wait_max_thread_ns = longest;
  }
  if (!before.total_ns || !after.total_ns || *after.total_ns <= *before.total_ns) return;
  const auto stolen = static_cast<double>(*after.steal_ns - *before.steal_ns);
  const auto total = static_cast<double>(*after.total_ns - *before.total_ns);
  usage.steal_ratio = std::clamp(stolen / total, 0.0, 1.0);
}

}  // namespace batchscope::host
