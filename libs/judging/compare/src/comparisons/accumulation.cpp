#include "accumulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/compare/accumulation_findings.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::compare {
namespace {

using Row = findings::KindRow<>;
using findings::ConfigRow;
using findings::doc_link;
using findings::Finding;
using findings::Metric;
using findings::percent;
using findings::three_digits;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
using tables::TestOptions;

constexpr Metric kEffectiveBatch{"effective_batch",
                                 "Samples per step: batch size times batches per step.", "samples"};
constexpr Metric kThroughput{
    "throughput", "Samples per second of all instances together, from the mean iteration.", "1/s"};
constexpr Metric kMemorySaved{"memory_saved",
                              "Peak memory that the most memory-efficient way saves, as a share of "
                              "the peak of the fastest way."};
constexpr Metric kSlowerBy{
    "slower_by",
    "Additional time of the most memory-efficient way, as a share of the time of the fastest way."};

constexpr auto kAccumulation =
    Row("train.accumulation", "Ways to make a step of the same size",
        "The same number of samples per step, as one batch or several with averaged gradients "
        "(`--accumulation`, `--effective-batch`): samples per second and peak memory of each way. "
        "The comparisons list the times, paired within blocks, and the losses after the same "
        "number of steps. In fp32 the losses agree, except for dropout and batch normalisation.",
        "Use the fastest way that fits, and more batches per step where memory is the limit.",
        "info", metrics(&kEffectiveBatch, &kThroughput, &kMemorySaved, &kSlowerBy));

// What ways to make the same step have in common.
schema::RunConfig step_of(const schema::RunConfig& config) {
  schema::RunConfig step = config;
  step.shape.batch_size = schema::effective_batch(config);
  step.accumulation = 1;
  step.shape.lengths.clear();
  return step;
}

bool trains(const schema::RunConfig& config) {
  return config.mode == schema::Mode::train;
}

std::string way(const schema::RunConfig& config) {
  if (config.accumulation == 1) return fmt::format("one batch of {}", config.shape.batch_size);
  return fmt::format("{} batches of {}", config.accumulation, config.shape.batch_size);
}

// In the order of the run, each with its ways by the number of batches.
template <class Item, class ConfigOf>
std::vector<std::vector<const Item*>> by_step(const std::vector<const Item*>& items,
                                              ConfigOf config_of) {
  std::vector<std::vector<const Item*>> steps;
  std::map<schema::RunConfig, std::size_t> known;
  for (const Item* item : items) {
    const auto [found, is_new] = known.emplace(step_of(config_of(*item)), steps.size());
    if (is_new) steps.emplace_back();
    steps[found->second].push_back(item);
  }
  std::erase_if(steps, [](const auto& ways) { return ways.size() < 2; });
  for (auto& ways : steps) {
    std::sort(ways.begin(), ways.end(), [&](const Item* a, const Item* b) {
      return config_of(*a).accumulation < config_of(*b).accumulation;
    });
  }
  return steps;
}

Open accumulated(const ConfigData& base, const ConfigData& other, const RunView& view,
                 const TestOptions& options) {
  const auto number = [](int64_t n) { return fmt::format("{}", n); };
  Open open =
      paired(base, other,
             {schema::AxisId::accumulation, "accumulation", number(base.config.accumulation),
              number(other.config.accumulation), way(base.config), way(other.config)},
             view, options);
  open.comparison.other_config = other.config;
  const std::string words = where_words(base.config, view, "accumulation");
  const std::size_t settings = words.find(", ");
  open.where = fmt::format("{} samples per step{}", schema::effective_batch(base.config),
                           settings == std::string::npos ? "" : words.substr(settings));
  return open;
}

std::optional<double> memory_of(const ConfigRow& row) {
  const schema::Memory& memory = row.memory;
  const auto& bytes =
      memory.peak_allocated_bytes ? memory.peak_allocated_bytes : memory.peak_iterations_rss_bytes;
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::string ways_text(const std::vector<const ConfigRow*>& ways) {
  std::string text;
  for (const ConfigRow* row : ways) {
    const auto memory = memory_of(*row);
    text += fmt::format("{}{} {} samples/s{}", text.empty() ? "" : "; ", way(row->config),
                        three_digits(row->throughput_per_s.value),
                        memory ? ", " + base::format_bytes(std::llround(*memory)) : "");
  }
  return text;
}

// What the leanest way saves and costs beside the fastest.
std::string trade(const ConfigRow& fastest, const ConfigRow& leanest, Finding& finding) {
  const double less = 1 - *memory_of(leanest) / *memory_of(fastest);
  const double slower = fastest.throughput_per_s.value / leanest.throughput_per_s.value - 1;
  finding.evidence.push_back(evidence_of(kMemorySaved, less));
  finding.evidence.push_back(evidence_of(kSlowerBy, slower));
  return fmt::format(" The way with the least memory is {}: {} less, for {} more time.",
                     way(leanest.config), percent(less), percent(slower));
}

Finding finding_of(const std::vector<const ConfigRow*>& ways) {
  const auto by_rate = [](const ConfigRow* a, const ConfigRow* b) {
    return a->throughput_per_s.value < b->throughput_per_s.value;
  };
  const ConfigRow& fastest = **std::max_element(ways.begin(), ways.end(), by_rate);
  Finding finding;
  finding.id = kAccumulation.id;
  finding.status = findings::Status::measured;
  finding.where = fastest.config;
  finding.batch_sizes = {fastest.config.shape.batch_size};
  finding.doc = doc_link(kAccumulation.id);
  const int64_t samples = schema::effective_batch(fastest.config);
  finding.what = fmt::format("{} samples per step: {}. The fastest is {}.", samples,
                             ways_text(ways), way(fastest.config));
  finding.evidence.push_back(evidence_of(kEffectiveBatch, static_cast<double>(samples)));
  finding.evidence.push_back(evidence_of(kThroughput, fastest.throughput_per_s));
  const bool known = std::all_of(ways.begin(), ways.end(),
                                 [](const ConfigRow* row) { return memory_of(*row).has_value(); });
  if (known) {
    const ConfigRow& leanest = **std::min_element(
        ways.begin(), ways.end(),
        [](const ConfigRow* a, const ConfigRow* b) { return *memory_of(*a) < *memory_of(*b); });
    if (&leanest != &fastest) finding.what += trade(fastest, leanest, finding);
  }
  finding.fix = fmt::format("Train with batch size {} and {}.", fastest.config.shape.batch_size,
                            base::counted(fastest.config.accumulation, "accumulation step"));
  return finding;
}

}  // namespace

void compare_accumulations(const RunView& view, const TestOptions& options,
                           std::vector<Open>& all) {
  std::vector<const ConfigData*> configs;
  for (const GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      if (trains(config.config)) configs.push_back(&config);
    }
  }
  const auto config_of = [](const ConfigData& data) { return data.config; };
  for (const auto& ways : by_step(configs, config_of)) {
    for (std::size_t i = 1; i < ways.size(); ++i) {
      all.push_back(accumulated(*ways.front(), *ways[i], view, options));
    }
  }
}

std::vector<Finding> accumulation_findings(const findings::Summary& summary) {
  std::vector<const ConfigRow*> rows;
  for (const findings::Group& group : summary.groups) {
    for (const ConfigRow& row : group.rows) {
      if (trains(row.config)) rows.push_back(&row);
    }
  }
  std::vector<Finding> findings;
  const auto config_of = [](const ConfigRow& row) { return row.config; };
  for (const auto& ways : by_step(rows, config_of)) findings.push_back(finding_of(ways));
  return findings;
}

findings::FindingKind accumulation_kind() {
  return kAccumulation.kind();
}

}  // namespace batchscope::compare
