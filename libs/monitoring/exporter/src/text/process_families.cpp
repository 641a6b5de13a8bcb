#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "text/families.hpp"

namespace batchscope::exporter {
namespace {

using telemetry::MetricKind;
using telemetry::ProcessReading;

// A build or a shell starts programs of ever new names.
constexpr std::size_t kMostNames = 30;
constexpr char kOthers[] = "(others)";

using ByName = std::map<std::string, std::vector<const ProcessReading*>>;

int64_t resident(const std::vector<const ProcessReading*>& processes) {
  int64_t bytes = 0;
  for (const auto* process : processes) bytes += process->resident_bytes.value_or(0);
  return bytes;
}

// Those that hold most memory keep their names.
ByName by_name(const std::vector<ProcessReading>& processes) {
  ByName all;
  for (const auto& process : processes) all[process.name].push_back(&process);
  if (all.size() <= kMostNames) return all;
  std::vector<std::pair<int64_t, std::string>> sizes;
  for (const auto& [name, members] : all) sizes.emplace_back(-resident(members), name);
  std::sort(sizes.begin(), sizes.end());
  ByName kept;
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    const std::string& name = sizes[at].second;
    auto& members = kept[at < kMostNames ? name : kOthers];
    members.insert(members.end(), all[name].begin(), all[name].end());
  }
  return kept;
}

// Of one thread there is a busiest; all else adds up.
bool is_largest(std::string_view metric) {
  return metric == "busiest_thread_ratio";
}

std::optional<double> together(const telemetry::MetricDescriptor<ProcessReading>& metric,
                               const std::vector<const ProcessReading*>& processes) {
  std::optional<double> total;
  for (const auto* process : processes) {
    const auto value = metric.get(*process);
    if (!value) continue;
    if (!total) {
      total = value;
    } else {
      total = is_largest(metric.name) ? std::max(*total, *value) : *total + *value;
    }
  }
  return total;
}

}  // namespace

std::vector<Family> process_families(const telemetry::Sample& sample) {
  const ByName names = by_name(sample.processes);
  Family count{
      "batchscope_process_instances", MetricKind::gauge, "Watched processes of this name", {}};
  for (const auto& [name, members] : names) {
    count.add({{"name", name}}, static_cast<double>(members.size()));
  }
  std::vector<Family> families{std::move(count)};
  for (const auto& metric : telemetry::process_metrics()) {
    const char* over = is_largest(metric.name) ? "; largest of all processes of this name"
                                               : "; sum over all processes of this name";
    Family family{"batchscope_process_" + std::string(metric.name),
                  metric.kind,
                  std::string(metric.help) + over,
                  {}};
    for (const auto& [name, members] : names) {
      family.add({{"name", name}}, together(metric, members));
    }
    families.push_back(std::move(family));
  }
  return families;
}

}  // namespace batchscope::exporter
