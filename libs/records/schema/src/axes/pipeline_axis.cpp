#include <fmt/format.h>

#include <array>

#include "axis_row.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

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

// One value, since a window is nothing without sorting.
std::string order_of(const RunConfig& config) {
  const TextPipeline pipeline = pipeline_of(config);
  const std::string window = sort_window_text(pipeline);
  return std::string(pipeline.order.text()) + (window.empty() ? "" : ":" + window);
}

constexpr std::array<AxisPart, 6> kPipelineParts = {
    {{"texts", AxisKind::work, texts_of, texts_of},
     {"tokenizer_threads", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", pipeline_of(c).tokenizer_threads); },
      [](const RunConfig& c) {
        return base::counted(pipeline_of(c).tokenizer_threads, "tokenizer thread");
      }},
     {"padding", AxisKind::setting,
      [](const RunConfig& c) { return std::string(pipeline_of(c).padding.text()); },
      [](const RunConfig& c) { return padding_in_words(pipeline_of(c)); }},
     {"order", AxisKind::setting, order_of,
      [](const RunConfig& c) { return order_in_words(pipeline_of(c)); }},
     {"token_budget", AxisKind::setting,
      [](const RunConfig& c) { return fmt::format("{}", pipeline_of(c).token_budget); },
      [](const RunConfig& c) { return budget_in_words(pipeline_of(c)); }},
     {"pooling", AxisKind::work, vectors_of, vectors_of}}};

constexpr Field kPipelineField = field<&RunConfig::pipeline>("pipeline");

std::vector<Argument> pipeline_arguments(const RunConfig& config) {
  if (!config.pipeline) return {};
  const TextPipeline& pipeline = *config.pipeline;
  std::vector<Argument> made = {{"--pipeline", "embed"}, {"--tokenizer", pipeline.tokenizer}};
  const auto add = [&](const char* flag, std::string_view value) {
    made.push_back({flag, std::string(value)});
  };
  if (!pipeline.texts.empty()) add("--texts", pipeline.texts);
  if (pipeline.max_length > 0) add("--max-length", fmt::format("{}", pipeline.max_length));
  add("--tokenizer-threads", fmt::format("{}", pipeline.tokenizer_threads));
  add("--padding", pipeline.padding.text());
  add("--order", pipeline.order.text());
  const std::string window = sort_window_text(pipeline);
  if (!window.empty()) add("--sort-window", window);
  if (pipeline.token_budget > 0) add("--token-budget", fmt::format("{}", pipeline.token_budget));
  add("--pooling", pipeline.pooling.text());
  if (!pipeline.normalize) add("--no-normalize", "");
  return made;
}

}  // namespace

template <>
const Table& table_of<TextPipeline>() {
  static constexpr std::array kFields = {
      field<&TextPipeline::tokenizer>("tokenizer", {.required = true, .description = "its file"}),
      field<&TextPipeline::texts>(
          "texts", {.omit = Omit::empty,
                    .description = "file with one text per line; absent: generated words"}),
      field<&TextPipeline::max_length>(
          "max_length",
          {.omit = Omit::empty,
           .least = 0,
           .description = "tokens at which a text is cut; absent: as the tokenizer says",
           .stated_least = 1}),
      field<&TextPipeline::tokenizer_threads>("tokenizer_threads", {.least = 1}),
      field<&TextPipeline::padding>(
          "padding", {.description = "longest (of a batch), multiple:N, max (of the model)"}),
      field<&TextPipeline::order>("order", {.description = "in which a cycle's texts form batches",
                                            .no_other_words = true}),
      field<&TextPipeline::sort_window>(
          "sort_window",
          {.omit = Omit::empty,
           .least = 0,
           .description =
               "texts that are sorted together, 1 in order of arrival; absent: as before "
               "there was this field, when those of a cycle were",
           .stated_least = 1}),
      field<&TextPipeline::sort_all>(
          "sort_all",
          {.omit = Omit::empty,
           .description = "all texts are sorted together, and sort_window is their number"}),
      field<&TextPipeline::token_budget>(
          "token_budget",
          {.omit = Omit::empty,
           .least = 0,
           .description = "tokens of one forward pass, padding included; a batch takes several; "
                          "absent: no limit",
           .stated_least = 1}),
      field<&TextPipeline::pooling>("pooling", {.no_other_words = true}),
      field<&TextPipeline::normalize>("normalize")};
  static constexpr Table kTable{kFields,
                                "texts in, vectors out: what an iteration does around the model"};
  return kTable;
}

// Outputs are compared as the model's own, on tokens, before anything that a pipeline does with
// them.
AxisRow pipeline_axis() {
  return {{.id = AxisId::pipeline,
           .name = "pipeline",
           .sets_outputs = false,
           .parts = kPipelineParts,
           .described = [](const RunConfig& c) { return c.pipeline ? describe(*c.pipeline) : ""; },
           .words = [](const RunConfig& c) { return c.pipeline ? in_words(*c.pipeline) : ""; },
           .forget = [](RunConfig& c) { c.pipeline.reset(); },
           .arguments = pipeline_arguments},
          std::span(&kPipelineField, 1)};
}

}  // namespace batchscope::schema
