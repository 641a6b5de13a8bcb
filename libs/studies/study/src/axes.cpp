#include "batchscope/study/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <utility>

#include "batchscope/base/counted.hpp"
#include "batchscope/schema/axes.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::RunConfig;

constexpr size_t kMostConfigurations = 10'000;
constexpr int64_t kMostInstances = 1024;

bool trains(const RunConfig& config) {
  return config.mode == schema::Mode::train;
}

// Replaces every configuration that `applies` by one for each value of an axis.
template <class Value, class Set>
void multiply(
    std::vector<RunConfig>& configs, const std::vector<Value>& values, const Set& set,
    bool (*applies)(const RunConfig&) = [](const RunConfig&) { return true; }) {
  if (values.empty()) return;
  std::vector<RunConfig> product;
  product.reserve(configs.size() * values.size());
  for (const RunConfig& config : configs) {
    if (!applies(config)) {
      product.push_back(config);
      continue;
    }
    for (const Value& value : values) {
      product.push_back(config);
      set(product.back(), value);
    }
  }
  configs = std::move(product);
}

// Of batches of one sample, for now.
std::vector<schema::Shape> lengths_of(const SweepModel& model, const Axes& axes) {
  std::vector<schema::Shape> shapes;
  if (!model.has_seq_len) return shapes;
  // Texts of a file are as long as they are.
  if (!axes.pipelines.empty() && !axes.pipelines.front().texts.empty()) return shapes;
  for (const int64_t seq_len : axes.seq_lens) shapes.push_back({1, seq_len});
  for (const LengthMix& mix : axes.length_mixes) shapes.push_back({1, std::nullopt, mix.text});
  if (shapes.empty() && model.default_seq_len) shapes.push_back({1, model.default_seq_len});
  return shapes;
}

// As many texts as there are, where a mix makes them up; one in order of arrival.
void fill_window(RunConfig& config, const std::vector<LengthMix>& mixes) {
  if (!config.pipeline || config.shape.seq_len) return;
  schema::TextPipeline& pipeline = *config.pipeline;
  if (pipeline.order == schema::TextOrder::arrival) pipeline.sort_window = 1;
  for (const LengthMix& mix : mixes) {
    if (mix.text != config.shape.length_mix) continue;
    const int64_t texts = texts_of(mix);
    pipeline.sort_all |= pipeline.sort_window >= texts;
    if (pipeline.sort_all) pipeline.sort_window = texts;
  }
}

void fill_lengths(RunConfig& config, const std::vector<LengthMix>& mixes, uint64_t seed) {
  for (const LengthMix& mix : mixes) {
    if (mix.text != config.shape.length_mix) continue;
    config.shape.lengths = lengths_for(mix, config, seed);
  }
}

// What is the model's own. Texts of a file are cut where its makers cut them; made-up ones are as
// long as they were asked for, up to what the model can take.
void fill_pipeline(const SweepModel& model, RunConfig& config) {
  if (!config.pipeline) return;
  schema::TextPipeline& pipeline = *config.pipeline;
  if (pipeline.tokenizer.empty()) pipeline.tokenizer = model.tokenizer;
  if (pipeline.pooling.empty()) {
    pipeline.pooling = model.pooling;
    pipeline.normalize = pipeline.normalize && model.normalize;
  }
  if (pipeline.max_length == 0) {
    pipeline.max_length = pipeline.texts.empty() ? model.max_positions : model.max_length;
  }
}

// As many batches a step as make the effective batch; sizes that do not divide it go.
void accumulate(std::vector<RunConfig>& configs, const std::optional<int64_t>& effective_batch) {
  if (!effective_batch) return;
  std::erase_if(configs, [&](const RunConfig& config) {
    return trains(config) && *effective_batch % config.shape.batch_size != 0;
  });
  for (RunConfig& config : configs) {
    if (trains(config)) config.accumulation = *effective_batch / config.shape.batch_size;
  }
}

// How an axis of a sweep is multiplied out.
struct Expansion {
  schema::AxisId id;
  // How many values it has; 0: the default, which counts as one.
  std::size_t (*count)(const Axes&) = [](const Axes&) { return std::size_t{0}; };
  void (*expand)(const SweepModel&, const Axes&, std::vector<RunConfig>&) =
      [](const SweepModel&, const Axes&, std::vector<RunConfig>&) {};
};

template <auto kValues>
std::size_t count_of(const Axes& axes) {
  return (axes.*kValues).size();
}

template <auto kField, class Value>
void set_field(RunConfig& config, const Value& value) {
  using Field = std::remove_reference_t<decltype(config.*kField)>;
  config.*kField = static_cast<Field>(value);
}

// A field of the configuration that takes the values as they are.
template <auto kValues, auto kField>
void vary(const SweepModel&, const Axes& axes, std::vector<RunConfig>& configs) {
  multiply(configs, axes.*kValues, [](RunConfig& c, const auto& v) { set_field<kField>(c, v); });
}

// The same of what inference has not: a backward pass to compute anything again in, steps, and
// files to train on.
template <auto kValues, auto kField>
void vary_training(const SweepModel&, const Axes& axes, std::vector<RunConfig>& configs) {
  multiply(
      configs, axes.*kValues, [](RunConfig& c, const auto& v) { set_field<kField>(c, v); }, trains);
}

void take_optimizer(const SweepModel&, const Axes& axes, std::vector<RunConfig>& configs) {
  for (RunConfig& config : configs) {
    if (trains(config)) config.optimizer = axes.optimizer;
  }
}

// The cores are shared among them, unless the threads are an axis of their own.
void vary_instances(const SweepModel&, const Axes& axes, std::vector<RunConfig>& configs) {
  multiply(configs, axes.instances, [&](RunConfig& c, int64_t v) {
    c.instances = static_cast<int>(v);
    c.threads = static_cast<int>(std::max<int64_t>(axes.cores / v, 1));
  });
}

void vary_lengths(const SweepModel& model, const Axes& axes, std::vector<RunConfig>& configs) {
  multiply(configs, lengths_of(model, axes),
           [](RunConfig& c, const schema::Shape& v) { c.shape = v; });
}

void vary_params(const SweepModel& model, const Axes& axes, std::vector<RunConfig>& configs) {
  if (model.interpreted) vary<&Axes::params, &RunConfig::param>(model, axes, configs);
}

void vary_batch_sizes(const SweepModel&, const Axes& axes, std::vector<RunConfig>& configs) {
  multiply(configs, axes.batch_sizes, [](RunConfig& c, int64_t v) { c.shape.batch_size = v; });
}

using schema::AxisId;

// Axes with values of their own in Axes, in the order in which they are multiplied out: the last
// varies fastest.
constexpr auto kExpansions = std::to_array<Expansion>(
    {{AxisId::device, count_of<&Axes::devices>, vary<&Axes::devices, &RunConfig::device>},
     {AxisId::mode, count_of<&Axes::modes>, vary<&Axes::modes, &RunConfig::mode>},
     {.id = AxisId::optimizer, .expand = take_optimizer},
     {AxisId::checkpointing, count_of<&Axes::checkpointing>,
      vary_training<&Axes::checkpointing, &RunConfig::checkpointing>},
     {AxisId::loader, count_of<&Axes::loaders>, vary_training<&Axes::loaders, &RunConfig::loader>},
     {AxisId::accumulation, count_of<&Axes::accumulations>,
      vary_training<&Axes::accumulations, &RunConfig::accumulation>},
     {AxisId::precision, count_of<&Axes::precisions>,
      vary<&Axes::precisions, &RunConfig::precision>},
     {AxisId::instances, count_of<&Axes::instances>, vary_instances},
     {AxisId::threads, count_of<&Axes::threads>, vary<&Axes::threads, &RunConfig::threads>},
     {AxisId::pipeline, count_of<&Axes::pipelines>, vary<&Axes::pipelines, &RunConfig::pipeline>},
     {AxisId::environment, count_of<&Axes::environments>,
      vary<&Axes::environments, &RunConfig::environment>},
     {AxisId::param, count_of<&Axes::params>, vary_params},
     {AxisId::seq_len,
      [](const Axes& axes) { return axes.seq_lens.size() + axes.length_mixes.size(); },
      vary_lengths},
     {AxisId::batch_size, count_of<&Axes::batch_sizes>, vary_batch_sizes}});

// Those that take words, slowest; what is no value of theirs was refused before.
void vary_plain(const SweepModel& model, const Axes& axes, std::vector<RunConfig>& configs) {
  for (const auto& [id, words] : axes.plain) {
    if (schema::axis(id).of_interpreter && !model.interpreted) continue;
    multiply(configs, words,
             [read = schema::axis(id).plain.read](RunConfig& c, const std::string& word) {
               read(word, c);
             });
  }
}

std::vector<RunConfig> configs_of(const SweepModel& model, const Axes& axes,
                                  std::string_view engine) {
  RunConfig first;
  first.engine = engine;
  first.model = model.spec.name;
  std::vector<RunConfig> configs{first};
  vary_plain(model, axes, configs);
  for (const Expansion& each : kExpansions) each.expand(model, axes, configs);
  accumulate(configs, axes.effective_batch);
  for (RunConfig& c : configs) fill_window(c, axes.length_mixes);
  for (RunConfig& c : configs) fill_lengths(c, axes.length_mixes, model.spec.seed);
  for (RunConfig& c : configs) fill_pipeline(model, c);
  return configs;
}

size_t product_size(const Axes& axes, size_t models) {
  size_t size = models;
  const auto times = [&](size_t count) {
    size = std::min(kMostConfigurations + 1, size * std::max<size_t>(count, 1));
  };
  for (const Expansion& each : kExpansions) times(each.count(axes));
  for (const auto& [id, words] : axes.plain) times(words.size());
  return size;
}

// Each sample of a mix stands in the run file.
Result<void> check_steps(const Axes& axes) {
  const int64_t batch = *std::max_element(axes.batch_sizes.begin(), axes.batch_sizes.end());
  const int64_t batches = *std::max_element(axes.accumulations.begin(), axes.accumulations.end());
  const bool fits = axes.length_mixes.empty() ||
                    axes.effective_batch.value_or(batch * batches) <= kLargestMixedBatch;
  if (batches <= schema::kMostAccumulation && fits) return {};
  return Error{ErrorKind::usage, fmt::format("{} batches per step are too many", batches),
               "--accumulation",
               fmt::format("at most {}, and {} samples per step with a mix of lengths",
                           schema::kMostAccumulation, kLargestMixedBatch)};
}

Result<void> check_plain(const Axes& axes) {
  for (const auto& [id, words] : axes.plain) {
    const schema::Axis& axis = schema::axis(id);
    for (const std::string& word : words) {
      RunConfig scratch;
      if (axis.plain && axis.plain.read(word, scratch)) continue;
      return Error{ErrorKind::usage, fmt::format("'{}' is not a value of {}", word, axis.name),
                   std::string(axis.name), std::string(axis.plain.help)};
    }
  }
  return {};
}

Result<void> check_sizes(const Axes& axes) {
  const int64_t largest_batch =
      axes.length_mixes.empty() ? schema::kLargestSize : kLargestMixedBatch;
  const auto check = [](const std::vector<int64_t>& sizes, int64_t most, const char* flag) {
    const auto largest = std::max_element(sizes.begin(), sizes.end());
    if (largest == sizes.end() || *largest <= most) return Result<void>();
    return Result<void>(Error{ErrorKind::usage, fmt::format("{} is too large", *largest), flag,
                              fmt::format("at most {}", most)});
  };
  if (auto fits = check(axes.batch_sizes, largest_batch, "--batch-sizes"); !fits) return fits;
  if (auto fits = check(axes.seq_lens, schema::kLargestSize, "--seq-lens"); !fits) return fits;
  if (auto fits = check_steps(axes); !fits) return fits;
  return check(axes.instances, kMostInstances, "--instances");
}

// What the lengths were given with.
const char* lengths_flag(const Axes& axes) {
  return axes.pipelines.empty() ? "--seq-lens" : "--text-lengths";
}

Result<void> check_lengths(const SweepModel& model, const Axes& axes) {
  const auto longest = std::max_element(axes.seq_lens.begin(), axes.seq_lens.end());
  if (model.max_positions == 0 || longest == axes.seq_lens.end()) return {};
  if (*longest <= model.max_positions) return {};
  return Error{ErrorKind::usage,
               fmt::format("{} takes at most {} tokens, not {}", model.spec.name,
                           model.max_positions, *longest),
               lengths_flag(axes), "remove the longer lengths"};
}

}  // namespace

Result<std::vector<RunConfig>> expand(const Axes& axes, std::string_view engine,
                                      std::span<const SweepModel> models) {
  const bool any_length =
      std::any_of(models.begin(), models.end(), [](const SweepModel& m) { return m.has_seq_len; });
  if (!(axes.seq_lens.empty() && axes.length_mixes.empty()) && !any_length) {
    return Error{ErrorKind::usage, "no model has a sequence length", lengths_flag(axes),
                 "remove it, or add an input with the dimension S (a law: per_token=64)"};
  }
  if (product_size(axes, models.size()) > kMostConfigurations) {
    return Error{ErrorKind::usage, fmt::format("more than {} configurations", kMostConfigurations),
                 "the axes", "shorten an axis; --dry-run shows the plan"};
  }
  if (auto fits = check_sizes(axes); !fits) return fits.error();
  if (auto known = check_plain(axes); !known) return known.error();
  std::vector<RunConfig> configs;
  for (const SweepModel& model : models) {
    if (auto fits = check_lengths(model, axes); !fits) return fits.error();
    auto more = configs_of(model, axes, engine);
    configs.insert(configs.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  }
  if (configs.empty()) {
    return Error{ErrorKind::usage,
                 fmt::format("no batch size divides {}", axes.effective_batch.value_or(0)),
                 "--effective-batch", "add batch sizes that do, such as its half and its quarter"};
  }
  return configs;
}

Result<std::vector<std::string>> leave_out_overcommitted(std::vector<RunConfig>& configs,
                                                         int cores) {
  const auto needed = [](const RunConfig& config) {
    return int64_t{config.instances} * config.threads;
  };
  std::set<std::string> notes;
  std::erase_if(configs, [&](const RunConfig& config) {
    const bool too_many = config.instances > 1 && needed(config) > cores;
    if (too_many) {
      notes.insert(fmt::format(
          "{} instances of {} skipped: {} physical cores needed, only {} available.",
          config.instances, base::counted(config.threads, "thread"), needed(config), cores));
    }
    return too_many;
  });
  if (configs.empty()) {
    return Error{
        ErrorKind::usage, *notes.begin(), "--instances",
        cores > 1 ? fmt::format("at most {} instances of 1 thread fit: --instances {} --threads 1",
                                cores, cores)
                  : "only one instance fits: remove --instances"};
  }
  return std::vector<std::string>(notes.begin(), notes.end());
}

}  // namespace batchscope::study
