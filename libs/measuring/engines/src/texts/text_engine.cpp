#include "batchscope/engines/text_engine.hpp"

#include <fmt/format.h>

#include "batchscope/engine/forwarding_engine.hpp"
#include "batchscope/engine/texts.hpp"
#include "text_model.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What a run file of a later version holds may be unknown here.
Result<void> check_known(const schema::TextPipeline& pipeline) {
  if (auto padding = check_padding(pipeline.padding); !padding) return padding;
  if (pipeline.order.value() == schema::TextOrder::other) {
    return Error{ErrorKind::usage,
                 fmt::format("'{}' is not an order of texts", pipeline.order.text()), "--order",
                 "use arrival or sorted"};
  }
  if (pipeline.pooling.value() == schema::Pooling::other) {
    return Error{ErrorKind::usage,
                 fmt::format("'{}' is not a pooling method", pipeline.pooling.text()), "--pooling",
                 "use mean, cls or none"};
  }
  return {};
}

void set_order(const schema::TextPipeline& pipeline, TextWork& work) {
  work.sort_window = pipeline.sort_all ? std::ssize(work.texts) : pipeline.sort_window;
  work.sorts_cycle = pipeline.order == schema::TextOrder::sorted && work.sort_window == 0;
}

class TextEngine final : public engine::ForwardingEngine {
 public:
  TextEngine(std::unique_ptr<engine::Engine> engine, TokenizerLoader tokenizers)
      : ForwardingEngine(std::move(engine)), tokenizers_(std::move(tokenizers)) {}

  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec& spec,
                                              const engine::ExecutionSpec& execution) override {
    if (!execution.pipeline) return inner().load(spec, execution);
    if (auto infers = check_mode(execution.mode); !infers) return infers.error();
    auto work = work_of(*execution.pipeline, spec.seed);
    if (!work) return std::move(work).error();
    auto model = inner().load(spec, execution);
    if (!model) return model;
    const auto takes = engine::require<engine::TakesTensors>(**model);
    if (!takes) return takes.error();
    auto inputs =
        TextInputs::of((*takes)->inputs(), spec.path.empty() ? spec.name : spec.path,
                       work->tokenizer->facts().vocabulary, execution.pipeline->tokenizer);
    if (!inputs) return std::move(inputs).error();
    work->inputs = *std::move(inputs);
    return make_text_model(*std::move(work), *std::move(model), **takes, clock());
  }

 private:
  Result<TextWork> work_of(const schema::TextPipeline& pipeline, uint64_t seed) {
    if (auto known = check_known(pipeline); !known) return known.error();
    TextWork work;
    if (!pipeline.texts.empty()) {
      auto texts = engine::read_texts(pipeline.texts);
      if (!texts) return std::move(texts).error();
      work.texts = *std::move(texts);
    }
    auto tokenizer =
        tokenizers_({pipeline.tokenizer, pipeline.tokenizer_threads, pipeline.max_length});
    if (!tokenizer) return std::move(tokenizer).error();
    if ((*tokenizer)->facts().pad_id < 0) {
      return Error{ErrorKind::input, "the tokenizer has no padding token", pipeline.tokenizer,
                   "use one that has a padding token"};
    }
    work.tokenizer = *std::move(tokenizer);
    work.padding = pipeline.padding;
    set_order(pipeline, work);
    work.token_budget = pipeline.token_budget;
    work.pool = {pipeline.pooling.value(), pipeline.normalize};
    work.seed = seed;
    return work;
  }

  TokenizerLoader tokenizers_;
};

}  // namespace

std::unique_ptr<engine::Engine> with_texts(std::unique_ptr<engine::Engine> engine,
                                           TokenizerLoader tokenizers) {
  return std::make_unique<TextEngine>(std::move(engine), std::move(tokenizers));
}

}  // namespace batchscope::engines
