#include "batchscope/engines/embed_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/abilities.hpp"
#include "text_inputs.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using TokenRows = std::span<const std::vector<int32_t>>;

// Nobody asks how long it took.
class NoPhases final : public engine::PhaseSink {
 public:
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

Result<void> check_fits(const engine::StoredModel& stored, const engine::Tokenizer& tokenizer) {
  const engine::TokenizerFacts& facts = tokenizer.facts();
  if (facts.vocabulary > stored.vocabulary) {
    return Error{ErrorKind::input,
                 fmt::format("has {} tokens, but model {} only {}", facts.vocabulary, stored.name,
                             stored.vocabulary),
                 stored.tokenizer().string(), "use the model's own tokenizer"};
  }
  if (facts.max_length > stored.max_positions) {
    return Error{ErrorKind::usage,
                 fmt::format("model {} takes {} tokens at most", stored.name, stored.max_positions),
                 "--max-length", fmt::format("use --max-length {}", stored.max_positions)};
  }
  return {};
}

// Rows that are padded to the longest of them.
SubBatch part_of(TokenRows rows) {
  SubBatch part;
  part.count = rows.size();
  for (const auto& row : rows) part.padded = std::max(part.padded, std::ssize(row));
  return part;
}

// Texts of like length need little padding.
std::vector<std::size_t> longest_first(TokenRows rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].size() > rows[b].size(); });
  return order;
}

void put_vectors(std::span<const float> values, std::span<const std::size_t> places,
                 Embedded& embedded) {
  const auto width = static_cast<std::size_t>(embedded.width);
  embedded.vectors.resize(embedded.tokens.size() * width);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto vector = values.subspan(i * width, width);
    std::copy(vector.begin(), vector.end(),
              embedded.vectors.begin() + static_cast<std::ptrdiff_t>(places[i] * width));
  }
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
  const auto inputs = TextInputs::of(*specs, stored.name);
  if (!inputs) return inputs.error();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  auto tokens = tokenizer.tokenize(views);
  if (!tokens) return std::move(tokens).error();
  Embedded embedded;
  embedded.tokens = *std::move(tokens);
  NoPhases sink;
  const auto pad_id = static_cast<int32_t>(stored.pad_id);
  const std::vector<std::size_t> order = longest_first(embedded.tokens);
  for (std::size_t first = 0; first < order.size(); first += batch_size) {
    const auto places = std::span(order).subspan(first, std::min(batch_size, order.size() - first));
    const auto some =
        base::mapped(places, [&](std::size_t place) { return embedded.tokens[place]; });
    const auto outputs = (*takes)->infer(inputs->make(some, part_of(some), pad_id), *pool, sink);
    if (!outputs) return outputs.error();
    const auto values = engine::to_floats(outputs->front());
    if (!values) return values.error();
    embedded.width = outputs->front().dimensions.back();
    put_vectors(*values, places, embedded);
  }
  return embedded;
}

}  // namespace batchscope::engines
