#include "embed_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "batchscope/engine/abilities.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using base::Subject;
using Rows = std::span<const std::vector<int32_t>>;

// Nobody asks how long it took.
class NoPhases final : public engine::PhaseSink {
 public:
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

Result<void> check_fits(const engine::StoredModel& stored, const engine::Tokenizer& tokenizer) {
  const engine::TokenizerFacts& facts = tokenizer.facts();
  if (facts.vocabulary > stored.vocabulary) {
    return Error{ErrorKind::input,
                 fmt::format("knows {} tokens, but model {} only {}", facts.vocabulary, stored.name,
                             stored.vocabulary),
                 stored.tokenizer().string(), "use the tokenizer that the model was trained with"};
  }
  if (facts.max_length > stored.max_positions) {
    return Error{ErrorKind::usage,
                 fmt::format("model {} takes {} tokens at most", stored.name, stored.max_positions),
                 Subject::max_length,
                 fmt::format("use {} {}", mention(Subject::max_length), stored.max_positions)};
  }
  return {};
}

engine::Tensor as_tensor(const engine::InputSpec& spec, std::vector<int64_t> dimensions,
                         std::span<const int64_t> values) {
  engine::Tensor tensor{spec.name, spec.dtype, std::move(dimensions), {}};
  const auto put = [&]<class T>(T) {
    const std::vector<T> typed(values.begin(), values.end());
    tensor.data.resize(typed.size() * sizeof(T));
    std::memcpy(tensor.data.data(), typed.data(), tensor.data.size());
  };
  spec.dtype == engine::DType::int32 ? put(int32_t{}) : put(int64_t{});
  return tensor;
}

// Ids and mask of rows, padded to the longest; what is neither (the kind of each token) is 0.
std::vector<engine::Tensor> padded(Rows rows, int64_t pad_id,
                                   std::span<const engine::InputSpec> specs) {
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  std::vector<int64_t> ids(rows.size() * longest, pad_id), mask(ids.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * longest);
    std::copy(rows[i].begin(), rows[i].end(), ids.begin() + at);
    std::fill_n(mask.begin() + at, rows[i].size(), 1);
  }
  const std::vector<int64_t> zeros(ids.size(), 0);
  const std::vector<int64_t> shape{static_cast<int64_t>(rows.size()),
                                   static_cast<int64_t>(longest)};
  std::vector<engine::Tensor> tensors;
  for (const engine::InputSpec& spec : specs) {
    const bool type = spec.name.find("type") != std::string::npos;
    tensors.push_back(as_tensor(spec, shape, engine::is_mask(spec) ? mask : type ? zeros : ids));
  }
  return tensors;
}

Result<engine::Pool> pool_of(const engine::StoredModel& stored) {
  if (stored.pooling == schema::Pooling::mean || stored.pooling == schema::Pooling::cls) {
    return engine::Pool{stored.pooling.value(), stored.normalize};
  }
  return Error{ErrorKind::input, fmt::format("'{}' is not a pooling method", stored.pooling.text()),
               (stored.folder / "model.json").string(), "use \"mean\" or \"cls\""};
}

}  // namespace

Result<Embedded> embed_texts(const engine::StoredModel& stored, engine::Tokenizer& tokenizer,
                             engine::Model& model, std::span<const std::string> texts,
                             std::size_t batch_size) {
  if (auto fits = check_fits(stored, tokenizer); !fits) return fits.error();
  const auto takes = engine::require<engine::TakesTensors>(model);
  if (!takes) return takes.error();
  const auto pool = pool_of(stored);
  if (!pool) return pool.error();
  const auto specs = engine::parse_input_specs(stored.inputs);
  if (!specs) return specs.error();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  auto tokens = tokenizer.tokenize(views);
  if (!tokens) return std::move(tokens).error();
  Embedded embedded;
  embedded.tokens = *std::move(tokens);
  NoPhases sink;
  const Rows rows(embedded.tokens);
  for (std::size_t first = 0; first < rows.size(); first += batch_size) {
    const Rows some = rows.subspan(first, std::min(batch_size, rows.size() - first));
    const auto outputs = (*takes)->infer(padded(some, stored.pad_id, *specs), *pool, sink);
    if (!outputs) return outputs.error();
    const auto values = engine::to_floats(outputs->front());
    if (!values) return values.error();
    embedded.width = outputs->front().dimensions.back();
    embedded.vectors.insert(embedded.vectors.end(), values->begin(), values->end());
  }
  return embedded;
}

}  // namespace batchscope::api
