#include "precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::measure {
namespace {

// The scaling table's own intervals, so that what stopped the run is what the table prints.
constexpr double kLevel = 0.95;
constexpr stats::Method kMethod = stats::Method::student_t;

constexpr std::size_t kFewestIterations = 3;
constexpr std::size_t kLongestLook = 200;  // of iterations, for the warm-up
constexpr int kFirstBlocks = 2;            // that decide nothing about warm-up
constexpr int kMostBlocks = 10'000;

double typical_ns(const schema::InstanceTimes& times) {
  if (times.samples_ns.empty()) return 0;
  return static_cast<double>(times.samples_ns[times.samples_ns.size() / 2]);
}

bool gives_a_time(const schema::Visit& visit) {
  return visit.purpose == schema::Purpose::measure || visit.purpose == schema::Purpose::control;
}

std::vector<const schema::Visit*> timing_visits(const schema::RunFile& run) {
  auto visits = schema::current_visits(run);
  std::erase_if(visits, [](const schema::Visit* visit) { return !gives_a_time(*visit); });
  return visits;
}

std::vector<double> time_order(const schema::InstanceTimes& instance) {
  std::vector<double> times(instance.warmup_ns.begin(), instance.warmup_ns.end());
  const auto most = kLongestLook - std::min(times.size(), kLongestLook);
  const auto timed = instance.samples_ns.first(std::min(instance.samples_ns.size(), most));
  times.insert(times.end(), timed.begin(), timed.end());
  return times;
}

double median_of(std::vector<int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  const int64_t below = *std::max_element(values.begin(), middle);
  return 0.5 * static_cast<double>(*middle + below);
}

// ln times by configuration and block.
using LogTable = std::vector<std::map<int, double>>;

LogTable log_table(const schema::RunFile& run, int blocks) {
  const stats::PooledWarmup needed = pooled_warmup(run);
  LogTable table(run.configs.size());
  for (const schema::Visit* visit : timing_visits(run)) {
    if (visit->block >= blocks) continue;
    const auto value = log_time(*visit, needed);
    if (value) table[static_cast<std::size_t>(visit->config)][visit->block] = *value;
  }
  return table;
}

std::vector<double> values_of(const std::map<int, double>& by_block) {
  std::vector<double> values;
  values.reserve(by_block.size());
  for (const auto& [block, value] : by_block) values.push_back(value);
  return values;
}

std::vector<double> paired(const std::map<int, double>& config, const std::map<int, double>& base) {
  std::vector<double> differences;
  for (const auto& [block, value] : config) {
    const auto other = base.find(block);
    if (other != base.end()) differences.push_back(value - other->second);
  }
  return differences;
}

double half_width(const std::vector<double>& values) {
  const auto interval = stats::mean_interval(values, kLevel, kMethod);
  return interval ? 0.5 * (interval->high - interval->low)
                  : std::numeric_limits<double>::infinity();
}

// The configurations that differ in batch size only, by what they share.
std::map<schema::RunConfig, std::vector<int>> groups(const schema::RunFile& run,
                                                     const std::vector<int>& configs) {
  std::map<schema::RunConfig, std::vector<int>> by_key;
  for (const int index : configs) {
    by_key[schema::without_batch_size(run.configs[static_cast<std::size_t>(index)])].push_back(
        index);
  }
  return by_key;
}

Contrast make_contrast(int config, const std::vector<double>& values) {
  return {config, static_cast<int>(values.size()), half_width(values)};
}

std::vector<Contrast> contrasts_of(const schema::RunFile& run, const std::vector<int>& configs,
                                   const LogTable& table) {
  const auto size_of = [&run](int index) {
    return run.configs[static_cast<std::size_t>(index)].shape.batch_size;
  };
  const auto logs_of = [&table](int index) -> const std::map<int, double>& {
    return table[static_cast<std::size_t>(index)];
  };
  std::vector<Contrast> result;
  for (const auto& [key, members] : groups(run, configs)) {
    const int base = *std::min_element(members.begin(), members.end(),
                                       [&](int a, int b) { return size_of(a) < size_of(b); });
    if (members.size() == 1) result.push_back(make_contrast(base, values_of(logs_of(base))));
    for (const int config : members) {
      if (config == base) continue;
      result.push_back(make_contrast(config, paired(logs_of(config), logs_of(base))));
    }
  }
  return result;
}

ConfigEstimate estimate_of(int config, const std::map<int, double>& logs) {
  constexpr double kNanosecondsAMillisecond = 1e6;
  ConfigEstimate estimate;
  estimate.config = config;
  estimate.n = static_cast<int>(logs.size());
  const auto values = values_of(logs);
  const auto interval = stats::mean_interval(values, kLevel, kMethod);
  const auto ms = [](double log_ns) { return std::exp(log_ns) / kNanosecondsAMillisecond; };
  if (interval) {
    estimate.time_ms = {ms(interval->mean),
                        schema::Interval{ms(interval->low), ms(interval->high)}};
  } else if (!values.empty()) {
    estimate.time_ms.value = ms(values[0]);
  }
  return estimate;
}

}  // namespace

stats::PooledWarmup pooled_warmup(const schema::RunFile& run) {
  if (run.header.plan.warmup) return {};
  const auto visits = timing_visits(run);
  const bool early = std::none_of(visits.begin(), visits.end(), [](const schema::Visit* visit) {
    return visit->block >= kFirstBlocks - 1;
  });
  if (early) return {};
  std::vector<std::vector<double>> times;
  times.reserve(visits.size());
  for (const schema::Visit* visit : visits) {
    if (visit->iterations_per_sample != 1) continue;
    for (const auto& instance : schema::by_instance(*visit)) times.push_back(time_order(instance));
  }
  const std::vector<std::span<const double>> spans(times.begin(), times.end());
  return stats::pooled_warmup(spans);
}

std::optional<double> log_time(const schema::Visit& visit, const stats::PooledWarmup& needed) {
  std::vector<double> medians;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    std::size_t cut = 0;
    if (visit.iterations_per_sample == 1) {
      const std::size_t wanted = needed.of(typical_ns(instance)).iterations;
      cut = wanted - std::min(wanted, instance.warmup_ns.size());
    }
    const std::size_t fewest = cut > 0 ? kFewestIterations : 1;
    if (instance.samples_ns.size() < cut + fewest) return std::nullopt;
    const auto timed = instance.samples_ns.subspan(cut);
    medians.push_back(median_of({timed.begin(), timed.end()}));
  }
  return std::log(medians.size() == 1 ? medians.front() : stats::harmonic_mean(medians));
}

std::vector<Contrast> contrasts(const schema::RunFile& run, const std::vector<int>& configs,
                                int blocks) {
  return contrasts_of(run, configs, log_table(run, blocks));
}

std::vector<ConfigEstimate> estimates(const schema::RunFile& run, const std::vector<int>& configs) {
  const LogTable table = log_table(run, std::numeric_limits<int>::max());
  std::vector<ConfigEstimate> result;
  result.reserve(configs.size());
  for (const int config : configs) {
    result.push_back(estimate_of(config, table[static_cast<std::size_t>(config)]));
  }
  for (const Contrast& contrast : contrasts_of(run, configs, table)) {
    for (ConfigEstimate& estimate : result) {
      if (estimate.config == contrast.config && std::isfinite(contrast.half_width)) {
        estimate.half_width = contrast.half_width;
      }
    }
  }
  return result;
}

bool all_precise(const std::vector<Contrast>& contrasts, double target) {
  return std::all_of(contrasts.begin(), contrasts.end(),
                     [target](const Contrast& c) { return c.half_width <= target; });
}

int blocks_needed(const std::vector<Contrast>& contrasts, int blocks, double target) {
  double most = blocks;
  for (const Contrast& contrast : contrasts) {
    if (!std::isfinite(contrast.half_width)) continue;
    const double ratio = contrast.half_width / target;
    most = std::max(most, std::ceil(blocks * ratio * ratio));
  }
  return static_cast<int>(std::min<double>(most, kMostBlocks));
}

}  // namespace batchscope::measure
