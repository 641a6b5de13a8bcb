#include "together.hpp"

#include <algorithm>

namespace batchscope::measure {
namespace {

template <class T>
void add(std::optional<T>& sum, const std::optional<T>& value) {
  sum = sum && value ? std::optional<T>(*sum + *value) : std::nullopt;
}

void append(std::vector<int64_t>& all, const std::vector<int64_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void add_phases(std::vector<schema::Phase>& all, const std::vector<schema::Phase>& more) {
  for (const schema::Phase& phase : more) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const schema::Phase& known) {
      return known.name == phase.name;
    });
    if (same == all.end()) {
      all.push_back(phase);
      continue;
    }
    same->host_ns += phase.host_ns;
    same->count += phase.count;
    add(same->device_ns, phase.device_ns);
  }
}

void add_memory(schema::Memory& all, const schema::Memory& more) {
  add(all.peak_rss_bytes, more.peak_rss_bytes);
  add(all.peak_allocated_bytes, more.peak_allocated_bytes);
  add(all.peak_reserved_bytes, more.peak_reserved_bytes);
  add(all.device_allocations, more.device_allocations);
  add(all.peak_iterations_rss_bytes, more.peak_iterations_rss_bytes);
  add(all.peak_group_bytes, more.peak_group_bytes);
}

void add_usage(schema::Usage& all, const schema::Usage& more) {
  add(all.minor_faults, more.minor_faults);
  add(all.major_faults, more.major_faults);
  add(all.user_ns, more.user_ns);
  add(all.system_ns, more.system_ns);
  add(all.voluntary_switches, more.voluntary_switches);
  add(all.involuntary_switches, more.involuntary_switches);
  add(all.wait_ns, more.wait_ns);
  if (all.wait_max_thread_ns && more.wait_max_thread_ns) {
    all.wait_max_thread_ns = std::max(*all.wait_max_thread_ns, *more.wait_max_thread_ns);
  } else {
    all.wait_max_thread_ns.reset();
  }
  add(all.steal_ratio, more.steal_ratio);
}

// Their interpreters run beside each other.
void add_collections(std::optional<schema::Collections>& all,
                     const std::optional<schema::Collections>& more) {
  if (!all || !more) return all.reset();
  all->count += more->count;
  all->total_ns += more->total_ns;
  all->longest_ns = std::max(all->longest_ns, more->longest_ns);
}

void count_times(schema::Visit& all, const schema::Visit& one) {
  all.instance_warmups.push_back(static_cast<int64_t>(one.warmup_ns.size()));
  all.instance_samples.push_back(static_cast<int64_t>(one.samples_ns.size()));
}

}  // namespace

schema::Visit together(std::vector<schema::Visit> instances) {
  if (instances.size() == 1) return std::move(instances.front());
  schema::Visit all = instances.front();
  count_times(all, instances.front());
  for (std::size_t i = 1; i < instances.size(); ++i) {
    const schema::Visit& one = instances[i];
    count_times(all, one);
    append(all.warmup_ns, one.warmup_ns);
    append(all.samples_ns, one.samples_ns);
    add_phases(all.phases, one.phases);
    add_memory(all.memory, one.memory);
    add_usage(all.usage, one.usage);
    add(all.loss, one.loss);
    add(all.skipped_steps, one.skipped_steps);
    add_collections(all.collections, one.collections);
    all.load_ns = std::max(all.load_ns, one.load_ns);
    all.wall_ns = std::max(all.wall_ns, one.wall_ns);
  }
  all.loader.reset();  // each has a loader of its own
  if (all.loss) *all.loss /= static_cast<double>(instances.size());
  if (all.usage.steal_ratio) *all.usage.steal_ratio /= static_cast<double>(instances.size());
  return all;
}

}  // namespace batchscope::measure
