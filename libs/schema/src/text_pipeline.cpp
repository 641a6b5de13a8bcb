#include <fmt/format.h>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

std::string describe(const TextPipeline& pipeline) {
  std::string text = fmt::format("texts={} tokenizer_threads={} padding={} order={}",
                                 pipeline.texts.empty() ? "made-up" : pipeline.texts,
                                 pipeline.tokenizer_threads, pipeline.padding, pipeline.order);
  if (pipeline.max_length > 0) text += fmt::format(" max_length={}", pipeline.max_length);
  if (pipeline.token_budget > 0) text += fmt::format(" token_budget={}", pipeline.token_budget);
  text += " pooling=" + pipeline.pooling;
  return pipeline.normalize ? text : text + " not normalized";
}

std::string texts_in_words(const TextPipeline& pipeline) {
  return pipeline.texts.empty() ? "made-up texts" : "texts of " + pipeline.texts;
}

std::string padding_in_words(const TextPipeline& pipeline) {
  constexpr std::string_view kMultiple = "multiple:";
  if (pipeline.padding == "longest") return "padded to the longest text";
  if (!pipeline.padding.starts_with(kMultiple)) return "padded to the model's maximum";
  return "padded to a multiple of " + pipeline.padding.substr(kMultiple.size());
}

std::string order_in_words(const TextPipeline& pipeline) {
  return pipeline.order == "sorted" ? "sorting by length" : "order of arrival";
}

std::string budget_in_words(const TextPipeline& pipeline) {
  if (pipeline.token_budget == 0) return "no token budget";
  return fmt::format("{} tokens a pass", pipeline.token_budget);
}

std::string pooling_in_words(const TextPipeline& pipeline) {
  return pipeline.pooling == "none" ? "no pooling" : pipeline.pooling + " pooling";
}

std::string in_words(const TextPipeline& pipeline) {
  const TextPipeline usual;
  std::string text = texts_in_words(pipeline);
  if (pipeline.max_length > 0 && !pipeline.texts.empty()) {
    text += fmt::format(", cut at {} tokens", pipeline.max_length);
  }
  if (pipeline.tokenizer_threads != usual.tokenizer_threads) {
    text += fmt::format(", {} tokenizer threads", pipeline.tokenizer_threads);
  }
  if (pipeline.padding != usual.padding) text += ", " + padding_in_words(pipeline);
  if (pipeline.order != usual.order) text += ", " + order_in_words(pipeline);
  if (pipeline.token_budget != usual.token_budget) text += ", " + budget_in_words(pipeline);
  if (pipeline.pooling != usual.pooling) text += ", " + pooling_in_words(pipeline);
  return pipeline.normalize ? text : text + ", not normalized";
}

}  // namespace batchscope::schema
