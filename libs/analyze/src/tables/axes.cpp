#include "axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/schema/not_stated.hpp"

namespace batchscope::analyze {
namespace {

struct Axis {
  std::string name;
  std::string value;
  std::string words;
  AxisKind kind = AxisKind::setting;
};

using Axes = std::array<Axis, 21>;

std::string mode_text(const schema::RunConfig& config) {
  const std::string mode(schema::to_string(config.mode));
  return config.optimizer.empty() ? mode : mode + " with " + config.optimizer;
}

std::string environment_text(const schema::RunConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.environment) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text.empty() ? "unchanged" : text;
}

Axis counted(const char* name, int n, const char* unit) {
  return {name, fmt::format("{}", n), fmt::format("{} {}{}", n, unit, n == 1 ? "" : "s")};
}

std::string length_text(const schema::Shape& shape) {
  if (!shape.length_mix.empty()) return shape.length_mix;
  return shape.seq_len ? fmt::format("{}", *shape.seq_len) : "none";
}

// Without a pipeline they are all alike.
std::array<Axis, 6> pipeline_axes(const std::optional<schema::TextPipeline>& pipeline) {
  const schema::TextPipeline text = pipeline.value_or(schema::TextPipeline{});
  const std::string texts = pipeline ? schema::texts_in_words(text) : "";
  const std::string pooling =
      schema::pooling_in_words(text) + (text.normalize ? "" : ", not normalized");
  return {{{"texts", texts, texts, AxisKind::work},
           counted("tokenizer_threads", text.tokenizer_threads, "tokenizer thread"),
           {"padding", text.padding, schema::padding_in_words(text)},
           {"order", text.order, schema::order_in_words(text)},
           {"token_budget", fmt::format("{}", text.token_budget), schema::budget_in_words(text)},
           {"pooling", pooling, pooling, AxisKind::work}}};
}

// Without a loader they are all alike.
std::array<Axis, 4> loader_axes(const std::optional<schema::Loader>& loader) {
  const schema::Loader own = loader.value_or(schema::Loader{});
  const std::string source = loader ? schema::source_in_words(own) : "";
  return {{{"loader", own.source, source, AxisKind::work},
           {"loader_workers", fmt::format("{}", own.workers), schema::workers_in_words(own)},
           {"prefetch", fmt::format("{}", own.prefetch), fmt::format("prefetch {}", own.prefetch)},
           {"prefetch_to_device", own.prefetch_to_device ? "on" : "off",
            own.prefetch_to_device ? "prefetching to the device" : "copying when wanted"}}};
}

Axis threads_axis(const schema::RunConfig& config) {
  if (schema::states_threads(config)) return counted("threads", config.threads, "thread");
  return {"threads", "", "threads not stated"};
}

Axes axes_of(const schema::RunConfig& config) {
  const std::string precision(schema::to_string(config.precision));
  const std::string length = length_text(config.shape);
  const std::string environment = environment_text(config);
  auto [loader, loader_workers, prefetch, to_device] = loader_axes(config.loader);
  auto [texts, tokenizer_threads, padding, order, budget, pooling] = pipeline_axes(config.pipeline);
  return {{{"model", config.model, config.model, AxisKind::work},
           {"engine", config.engine, "engine " + config.engine},
           {"seq_len", length, length == "none" ? "" : length + " tokens", AxisKind::work},
           {"precision", precision,
            schema::states_precision(config) ? precision : "precision not stated"},
           {"device", config.device,
            schema::states_device(config) ? config.device : "device not stated"},
           threads_axis(config),
           counted("instances", config.instances, "instance"),
           {"mode", mode_text(config), mode_text(config), AxisKind::work},
           {"checkpointing", config.checkpointing ? "on" : "off",
            config.checkpointing ? "checkpointing" : "no checkpointing"},
           {"accumulation", fmt::format("{}", config.accumulation),
            fmt::format("{} batch{} a step", config.accumulation,
                        config.accumulation == 1 ? "" : "es")},
           loader,
           loader_workers,
           prefetch,
           to_device,
           {"environment", environment, "environment " + environment},
           texts,
           tokenizer_threads,
           padding,
           order,
           budget,
           pooling}};
}

}  // namespace

std::optional<AxisDifference> single_difference(const schema::RunConfig& a,
                                                const schema::RunConfig& b) {
  const Axes of_a = axes_of(a);
  const Axes of_b = axes_of(b);
  std::optional<AxisDifference> found;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (of_a[i].value == of_b[i].value) continue;
    if (found) return std::nullopt;
    found =
        AxisDifference{of_a[i].name, of_a[i].value, of_b[i].value, of_a[i].words, of_b[i].words};
  }
  return found;
}

bool varies_in_length(const schema::RunConfig& config) {
  return !config.shape.length_mix.empty() || (config.pipeline && !config.pipeline->texts.empty());
}

bool is_same_work(const schema::RunConfig& a, const schema::RunConfig& b) {
  const Axes of_a = axes_of(a);
  const Axes of_b = axes_of(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), [](const Axis& one, const Axis& other) {
    return one.kind != AxisKind::work || one.value == other.value;
  });
}

std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       AxisKind kind, const std::string& except) {
  const Axes own = axes_of(config);
  std::array<bool, std::tuple_size_v<Axes>> differs{};
  for (const schema::RunConfig& each : others) {
    const Axes other = axes_of(each);
    for (std::size_t i = 0; i < own.size(); ++i) differs[i] |= own[i].value != other[i].value;
  }
  std::string words;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!differs[i] || own[i].kind != kind || own[i].name == except || own[i].words.empty()) {
      continue;
    }
    words += (words.empty() ? "" : ", ") + own[i].words;
  }
  return words;
}

std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       const std::string& except) {
  const std::string work = axis_words(config, others, AxisKind::work, except);
  const std::string settings = axis_words(config, others, AxisKind::setting, except);
  return work.empty() || settings.empty() ? work + settings : work + ", " + settings;
}

}  // namespace batchscope::analyze
