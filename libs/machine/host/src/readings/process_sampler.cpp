#include "batchscope/host/process_sampler.hpp"

#include <optional>
#include <string>
#include <utility>

#include "readings/process_children.hpp"
#include "readings/process_meter.hpp"
#include "readings/process_queue.hpp"
#include "readings/process_stat.hpp"

namespace batchscope::host {
namespace {

// Threads beside the first rarely begin processes: theirs are looked for in every so many readings,
// which halves what a reading costs.
constexpr int64_t kReadingsBetween = 8;

// One reading of all.
class ProcessPass {
 public:
  ProcessPass(WatchedProcesses& watched, double seconds)
      : watched_(watched),
        root_(watched.root),
        queue_(watched.named, watched.known),
        children_(watched.root),
        delay_setting_(root_.read_trimmed("/proc/sys/kernel/task_delayacct")),
        seconds_(seconds),
        asks_all_threads_(watched.passes++ % kReadingsBetween == 0) {}

  std::vector<telemetry::ProcessReading> run() {
    while (now_.size() < ProcessSampler::kMostProcesses) {
      const auto candidate = queue_.next();
      if (!candidate) break;
      if (now_.contains(candidate->pid)) continue;
      if (const auto stat = find(*candidate)) look_at(candidate->pid, *stat);
    }
    watched_.known = std::move(now_);
    return std::move(readings_);
  }

 private:
  // Absent: it has ended, or another one has its number.
  std::optional<ProcessStat> find(const ProcessCandidate& candidate) const {
    const auto text = root_.read("/proc/" + std::to_string(candidate.pid) + "/stat");
    auto stat = text ? parse_process_stat(*text) : std::nullopt;
    if (!stat || stat->ended()) return std::nullopt;
    if (candidate.start_ticks && *candidate.start_ticks != stat->start_ticks) return std::nullopt;
    return stat;
  }

  void look_at(int pid, const ProcessStat& stat) {
    ProcessCandidate& named = watched_.named;
    if (pid == named.pid && !named.start_ticks) named.start_ticks = stat.start_ticks;
    auto threads = numbers_in(root_, "/proc/" + std::to_string(pid) + "/task");
    if (threads.size() > threads_left_) threads.clear();
    threads_left_ -= threads.size();
    ProcessCounters counters = read_counters(root_, pid, stat, threads);
    for (const auto& [number, thread] : counters.threads) {
      watched_.delay_seen = watched_.delay_seen || thread.delay_ticks > 0;
    }
    readings_.push_back(reading_of(pid, stat, counters, counters_before(pid, stat.start_ticks),
                                   seconds_, counts_delays()));
    counters.cpu_cores = readings_.back().cpu_cores.value_or(0);
    now_[pid] = std::move(counters);
    if (threads.empty() || !asks_all_threads_) threads.assign(1, pid);
    for (const int child : children_.of(pid, threads)) queue_.add_new(child);
  }

  const ProcessCounters* counters_before(int pid, int64_t start_ticks) const {
    const auto found = watched_.known.find(pid);
    const bool same = found != watched_.known.end() && found->second.start_ticks == start_ticks;
    return same ? &found->second : nullptr;
  }

  // Where the kernel does not say, it is on once some wait was seen: all zero says nothing.
  bool counts_delays() const {
    return delay_setting_.empty() ? watched_.delay_seen : delay_setting_ != "0";
  }

  WatchedProcesses& watched_;
  const base::SystemRoot& root_;
  ProcessQueue queue_;
  ProcessChildren children_;
  std::string delay_setting_;
  double seconds_;
  bool asks_all_threads_;
  KnownProcesses now_;
  std::vector<telemetry::ProcessReading> readings_;
  std::size_t threads_left_ = ProcessSampler::kMostThreads;
};

}  // namespace

struct ProcessSampler::State : WatchedProcesses {
  using WatchedProcesses::WatchedProcesses;
};

ProcessSampler::ProcessSampler(base::SystemRoot root, int root_pid)
    : state_(std::make_unique<State>(std::move(root), root_pid)) {}
ProcessSampler::~ProcessSampler() = default;
ProcessSampler::ProcessSampler(ProcessSampler&&) noexcept = default;
ProcessSampler& ProcessSampler::operator=(ProcessSampler&&) noexcept = default;

std::vector<telemetry::ProcessReading> ProcessSampler::take(int64_t now_ns) {
  const auto before = state_->before_ns;
  state_->before_ns = now_ns;
  const double seconds = before ? static_cast<double>(now_ns - *before) * 1e-9 : 0.0;
  return ProcessPass(*state_, seconds).run();
}

}  // namespace batchscope::host
