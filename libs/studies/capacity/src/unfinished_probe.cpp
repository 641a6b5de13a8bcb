#include "unfinished_probe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "max_batch_replay.hpp"

namespace batchscope::capacity {
namespace {

// Of the limit: a line through the peaks so far is not off by half as much again.
constexpr double kClearlyBelow = 2.0 / 3;

// By the line through the peaks; nullopt where none are known. With a single one a sample takes no
// more than its share of it.
std::optional<double> foreseen_peak(const std::map<int64_t, int64_t>& peaks, int64_t batch_size) {
  if (peaks.empty()) return std::nullopt;
  const auto size = static_cast<double>(batch_size);
  const auto model = fit_memory(peaks);
  if (!model) {
    const auto& [known, peak] = *peaks.begin();
    return static_cast<double>(peak) * std::max(1.0, size / static_cast<double>(known));
  }
  const double line = model->intercept_bytes + model->slope_bytes * size;
  return std::max(line, static_cast<double>(model->floor_bytes.value_or(0)));
}

bool is_contradicted(const schema::RunFile& run, const schema::MaxBatchSettings& plan,
                     const schema::Probe& probe) {
  const auto peak = foreseen_peak(search_of(run, probe.config, plan).peaks(), probe.batch_size);
  return peak && *peak < kClearlyBelow * static_cast<double>(probe.limit_bytes);
}

host::OomKills kills_before(const schema::Probe& probe) {
  return {probe.boot_id, probe.oom_kills, false};
}

// The same size, tried just before, ended in the same way.
bool is_second_time(const std::vector<schema::Probe>& probes) {
  if (probes.size() < 2) return false;
  const schema::Probe& last = probes.back();
  const schema::Probe& before = probes[probes.size() - 2];
  const bool same = before.config == last.config && before.batch_size == last.batch_size &&
                    before.purpose == last.purpose;
  return same && before.outcome.empty() &&
         host::killed_between(kills_before(before), kills_before(last));
}

}  // namespace

std::optional<schema::Probe> believed_end(const schema::RunFile& run,
                                          const schema::MaxBatchSettings& plan,
                                          const host::OomKills& now) {
  if (run.probes.empty() || !run.probes.back().outcome.empty()) return std::nullopt;
  schema::Probe probe = run.probes.back();
  if (!host::killed_between(kills_before(probe), now)) return std::nullopt;
  if (is_contradicted(run, plan, probe) && !is_second_time(run.probes)) return std::nullopt;
  const bool anew = !probe.boot_id.empty() && !now.boot_id.empty() && probe.boot_id != now.boot_id;
  probe.outcome = ProbeOutcome::believed_out_of_memory;
  probe.message = fmt::format(
      "the search was killed while trying {}, and {}", probe.batch_size,
      anew ? "the machine has been restarted since"
      : now.machine_wide
          ? "the kernel's OOM killer ended a process meanwhile, though perhaps another one"
          : "the kernel's OOM killer ended a process meanwhile");
  return probe;
}

}  // namespace batchscope::capacity
