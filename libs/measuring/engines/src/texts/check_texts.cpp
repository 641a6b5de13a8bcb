#include "batchscope/engines/check_texts.hpp"

#include "made_up_texts.hpp"
#include "text_inputs.hpp"

namespace batchscope::engines {
namespace {

using base::Result;

Result<void> check_lengths(const schema::Shape& shape, const engine::TokenizerFacts& facts) {
  if (shape.seq_len) {
    if (auto made = check_length(*shape.seq_len, facts); !made) return made;
  }
  for (const int64_t length : shape.lengths) {
    if (auto made = check_length(length, facts); !made) return made;
  }
  return {};
}

}  // namespace

Result<void> check_texts(const schema::RunConfig& config, std::span<const engine::InputSpec> inputs,
                         const std::string& model, const TokenizerLoader& tokenizers) {
  if (!config.pipeline) return {};
  if (auto infers = check_mode(config.mode); !infers) return infers;
  const schema::TextPipeline& pipeline = *config.pipeline;
  const auto tokenizer =
      tokenizers({pipeline.tokenizer, pipeline.tokenizer_threads, pipeline.max_length});
  if (!tokenizer) return tokenizer.error();
  const engine::TokenizerFacts& facts = (*tokenizer)->facts();
  const auto fed = TextInputs::of(inputs, model, facts.vocabulary, pipeline.tokenizer);
  if (!fed) return fed.error();
  return pipeline.texts.empty() ? check_lengths(config.shape, facts) : Result<void>();
}

}  // namespace batchscope::engines
