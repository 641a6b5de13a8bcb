#include "batchscope/schema/text_pipeline.hpp"

#include <fmt/format.h>

#include <array>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/parse_number.hpp"

namespace batchscope::schema {
namespace {

using base::Name;
using base::name_of;

constexpr std::array kPoolings = {Name<Pooling>{Pooling::none, "none"},
                                  Name<Pooling>{Pooling::mean, "mean"},
                                  Name<Pooling>{Pooling::cls, "cls"}};
constexpr std::array kOrders = {Name<TextOrder>{TextOrder::arrival, "arrival"},
                                Name<TextOrder>{TextOrder::sorted, "sorted"}};

std::string sorted_in_words(const TextPipeline& pipeline) {
  const int64_t window = pipeline.sort_window;
  if (window == 0) return pipeline.sort_all ? "sorting over all texts" : "sorting by length";
  return fmt::format("sorting {} {}", pipeline.sort_all ? "over all" : "within",
                     base::counted(window, "text"));
}

}  // namespace

std::string_view to_string(Pooling pooling) {
  return name_of(kPoolings, pooling);
}
std::string_view to_string(TextOrder order) {
  return name_of(kOrders, order);
}

Padding::Padding(std::string_view text) : to_(To::other), text_(text) {
  constexpr std::string_view kMultiple = "multiple:";
  constexpr int64_t kLargest = 4096;
  if (text == "longest") to_ = To::longest;
  if (text == "max") to_ = To::max;
  if (!text.starts_with(kMultiple)) return;
  const auto multiple = base::parse_number<int64_t>(text.substr(kMultiple.size()));
  if (!multiple || *multiple < 1 || *multiple > kLargest) return;
  to_ = To::multiple;
  multiple_ = *multiple;
}

std::string describe(const TextPipeline& pipeline) {
  std::string text =
      fmt::format("texts={} tokenizer_threads={} padding={} order={}",
                  pipeline.texts.empty() ? "made-up" : pipeline.texts, pipeline.tokenizer_threads,
                  pipeline.padding.text(), pipeline.order.text());
  const std::string window = sort_window_text(pipeline);
  if (!window.empty()) text += " sort_window=" + window;
  if (pipeline.max_length > 0) text += fmt::format(" max_length={}", pipeline.max_length);
  if (pipeline.token_budget > 0) text += fmt::format(" token_budget={}", pipeline.token_budget);
  text += fmt::format(" pooling={}", pipeline.pooling.text());
  return pipeline.normalize ? text : text + " not normalized";
}

std::string texts_in_words(const TextPipeline& pipeline) {
  return pipeline.texts.empty() ? "generated texts" : "texts of " + pipeline.texts;
}

std::string padding_in_words(const TextPipeline& pipeline) {
  const Padding& padding = pipeline.padding;
  switch (padding.to()) {
    case Padding::To::longest:
      return "padded to the longest text";
    case Padding::To::max:
      return "padded to the model's maximum";
    case Padding::To::multiple:
      return fmt::format("padded to a multiple of {}", padding.multiple());
    case Padding::To::other:
      break;
  }
  return fmt::format("padding {}", padding.text());
}

std::string sort_window_text(const TextPipeline& pipeline) {
  if (pipeline.order != TextOrder::sorted) return "";
  if (pipeline.sort_all) return "all";
  return pipeline.sort_window > 0 ? fmt::format("{}", pipeline.sort_window) : "";
}

std::string order_in_words(const TextPipeline& pipeline) {
  if (pipeline.order == TextOrder::sorted) return sorted_in_words(pipeline);
  if (pipeline.order == TextOrder::arrival) return "order of arrival";
  return fmt::format("order {}", pipeline.order.text());
}

std::string budget_in_words(const TextPipeline& pipeline) {
  if (pipeline.token_budget == 0) return "no token budget";
  return fmt::format("{} a pass", base::counted(pipeline.token_budget, "token"));
}

std::string pooling_in_words(const TextPipeline& pipeline) {
  if (pipeline.pooling == Pooling::none) return "no pooling";
  return fmt::format("{} pooling", pipeline.pooling.text());
}

std::string in_words(const TextPipeline& pipeline) {
  const TextPipeline usual;
  std::string text = texts_in_words(pipeline);
  if (pipeline.max_length > 0 && !pipeline.texts.empty()) {
    text += fmt::format(", cut at {}", base::counted(pipeline.max_length, "token"));
  }
  if (pipeline.tokenizer_threads != usual.tokenizer_threads) {
    text += fmt::format(", {}", base::counted(pipeline.tokenizer_threads, "tokenizer thread"));
  }
  if (pipeline.padding != usual.padding) text += ", " + padding_in_words(pipeline);
  if (pipeline.order != usual.order) text += ", " + order_in_words(pipeline);
  if (pipeline.token_budget != usual.token_budget) text += ", " + budget_in_words(pipeline);
  if (pipeline.pooling != usual.pooling) text += ", " + pooling_in_words(pipeline);
  return pipeline.normalize ? text : text + ", not normalized";
}

}  // namespace batchscope::schema
