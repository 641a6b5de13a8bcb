#include <fmt/format.h>

#include <array>

#include "axis_row.hpp"

namespace batchscope::schema {
namespace {

// Without a pipeline they are all alike.
TextPipeline pipeline_of(const RunConfig& config) {
  return config.pipeline.value_or(TextPipeline{});
}

std::string texts_of(const RunConfig& config) {
  return config.pipeline ? texts_in_words(*config.pipeline) : "";
}

std::string vectors_of(const RunConfig& config) {
  const TextPipeline pipeline = pipeline_of(config);
  return pooling_in_words(pipeline) + (pipeline.normalize ? "" : ", not normalized");
}

constexpr std::array<AxisPart, 6> kParts = {
    {{"texts", AxisKind::work, texts_of, texts_of},
     {"tokenizer_threads", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", pipeline_of(c).tokenizer_threads); },
      [](const RunConfig& c) {
        return counted(pipeline_of(c).tokenizer_threads, "tokenizer thread");
      }},
     {"padding", AxisKind::setting, [](const RunConfig& c) { return pipeline_of(c).padding; },
      [](const RunConfig& c) { return padding_in_words(pipeline_of(c)); }},
     {"order", AxisKind::setting, [](const RunConfig& c) { return pipeline_of(c).order; },
      [](const RunConfig& c) { return order_in_words(pipeline_of(c)); }},
     {"token_budget", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", pipeline_of(c).token_budget); },
      [](const RunConfig& c) { return budget_in_words(pipeline_of(c)); }},
     {"pooling", AxisKind::work, vectors_of, vectors_of}}};

void write(const RunConfig& config, nlohmann::ordered_json& json) {
  if (!config.pipeline) return;
  const TextPipeline& pipeline = *config.pipeline;
  auto& out = json["pipeline"];
  out["tokenizer"] = pipeline.tokenizer;
  if (!pipeline.texts.empty()) out["texts"] = pipeline.texts;
  if (pipeline.max_length > 0) out["max_length"] = pipeline.max_length;
  out["tokenizer_threads"] = pipeline.tokenizer_threads;
  out["padding"] = pipeline.padding;
  out["order"] = pipeline.order;
  if (pipeline.token_budget > 0) out["token_budget"] = pipeline.token_budget;
  out["pooling"] = pipeline.pooling;
  out["normalize"] = pipeline.normalize;
}

void read(const JsonFields& fields, RunConfig& config) {
  fields.object("pipeline", [&](const JsonFields& inner) {
    TextPipeline& pipeline = config.pipeline.emplace();
    inner.require("tokenizer", pipeline.tokenizer);
    inner.read("texts", pipeline.texts);
    inner.at_least("max_length", int64_t{0}, pipeline.max_length);
    inner.at_least("tokenizer_threads", 1, pipeline.tokenizer_threads);
    inner.read("padding", pipeline.padding);
    inner.read("order", pipeline.order);
    inner.at_least("token_budget", int64_t{0}, pipeline.token_budget);
    inner.read("pooling", pipeline.pooling);
    inner.read("normalize", pipeline.normalize);
  });
}

std::vector<Argument> arguments(const RunConfig& config) {
  if (!config.pipeline) return {};
  const TextPipeline& pipeline = *config.pipeline;
  std::vector<Argument> made = {{"--pipeline", "embed"}, {"--tokenizer", pipeline.tokenizer}};
  const auto add = [&](std::string_view flag, std::string value) {
    made.push_back({flag, std::move(value)});
  };
  if (!pipeline.texts.empty()) add("--texts", pipeline.texts);
  if (pipeline.max_length > 0) add("--max-length", fmt::format("{}", pipeline.max_length));
  add("--tokenizer-threads", fmt::format("{}", pipeline.tokenizer_threads));
  add("--padding", pipeline.padding);
  add("--order", pipeline.order);
  if (pipeline.token_budget > 0) add("--token-budget", fmt::format("{}", pipeline.token_budget));
  add("--pooling", pipeline.pooling);
  if (!pipeline.normalize) add("--no-normalize", "");
  return made;
}

}  // namespace

// Outputs are compared as the model's own, on tokens, before anything that a pipeline does with
// them.
AxisRow pipeline_axis() {
  return {{.id = AxisId::pipeline,
           .name = "pipeline",
           .sets_outputs = false,
           .parts = kParts,
           .described = [](const RunConfig& c) { return c.pipeline ? describe(*c.pipeline) : ""; },
           .words = [](const RunConfig& c) { return c.pipeline ? in_words(*c.pipeline) : ""; },
           .forget = [](RunConfig& c) { c.pipeline.reset(); },
           .arguments = arguments},
          write,
          read};
}

}  // namespace batchscope::schema
