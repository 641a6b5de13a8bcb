#include "text_model.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engines/sorted_cycle.hpp"
#include "batchscope/schema/phases.hpp"
#include "cycle.hpp"
#include "made_up_texts.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using Rows = std::vector<std::vector<int32_t>>;

std::vector<int64_t> lengths_of(const Rows& rows) {
  std::vector<int64_t> lengths;
  lengths.reserve(rows.size());
  for (const auto& row : rows) lengths.push_back(static_cast<int64_t>(row.size()));
  return lengths;
}

class TextBatch final : public engine::Batch {
 public:
  TextBatch(std::vector<std::string> texts, int64_t batch_size)
      : texts_(std::move(texts)), batch_size_(static_cast<std::size_t>(batch_size)) {
    for (const std::string& text : texts_) views_.push_back(text);
  }

  int64_t cycle() const override { return static_cast<int64_t>(views_.size() / batch_size_); }
  std::optional<schema::Tokens> tokens() const override { return tokens_; }
  void set_tokens(const schema::Tokens& tokens) { tokens_ = tokens; }

  std::span<const std::string_view> batch(int64_t index) const {
    return std::span(views_).subspan(static_cast<std::size_t>(index) * batch_size_, batch_size_);
  }
  std::span<const std::string_view> next() {
    const auto now = batch(at_);
    at_ = (at_ + 1) % cycle();
    return now;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string_view> views_;
  std::size_t batch_size_;
  int64_t at_ = 0;
  std::optional<schema::Tokens> tokens_;
};

class TextModel final : public engine::Model, public engine::Diagnoses {
 public:
  TextModel(TextWork work, std::unique_ptr<engine::Model> model, engine::TakesTensors& takes,
            const engine::Clock& clock)
      : work_(std::move(work)), model_(std::move(model)), takes_(takes), clock_(clock) {}

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    auto texts = texts_of(shape);
    if (!texts) return std::move(texts).error();
    if (work_.sorts_cycle) {
      const auto lengths = tokens_of(*texts);
      if (!lengths) return lengths.error();
      sort_by_length(*texts, *lengths);
    }
    auto batch = std::make_unique<TextBatch>(*std::move(texts), shape.batch_size);
    auto tokens = count(*batch);
    if (!tokens) return std::move(tokens).error();
    batch->set_tokens(*tokens);
    return std::unique_ptr<engine::Batch>(std::move(batch));
  }

  Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override {
    const auto texts = static_cast<TextBatch&>(batch).next();
    const int64_t start = clock_.now_ns();
    sink.enter(schema::phases::kTokenize);
    const auto rows = work_.tokenizer->tokenize(texts);
    if (!rows) return rows.error();
    sink.phase(schema::phases::kTokenize, clock_.now_ns() - start, std::nullopt);
    for (const SubBatch& part : parts_of(*rows)) {
      if (auto embedded = embed(*rows, part, sink); !embedded) return embedded;
    }
    return {};
  }

  Result<void> wait(engine::PhaseSink& sink) override { return model_->wait(sink); }
  void reset_memory_peaks() override { model_->reset_memory_peaks(); }
  schema::Memory memory() const override { return model_->memory(); }

  void* find_interface(engine::Ability ability) override {
    switch (ability) {
      case engine::Ability::takes_tensors:  // of tokens: what its outputs are compared on
      case engine::Ability::holds_back:
      case engine::Ability::imagines_usage:
      case engine::Ability::tells_interpreter:
        return model_->find_interface(ability);
      case engine::Ability::diagnoses:
        return model_->as<Diagnoses>() == nullptr ? nullptr : static_cast<Diagnoses*>(this);
      case engine::Ability::tells_losses:  // texts are embedded, and nothing is trained
      case engine::Ability::shows_gradients:
        return nullptr;
    }
    return nullptr;
  }

  // The engine looks at its part of the work: as many tokens as the longest batch has.
  Result<void> diagnose(engine::Batch& batch, const std::filesystem::path& trace_file,
                        schema::Diagnosis& diagnosis) override {
    auto& texts = static_cast<TextBatch&>(batch);
    const auto rows = work_.tokenizer->tokenize(texts.batch(0));
    if (!rows) return rows.error();
    const SubBatch part = parts_of(*rows).front();
    const auto inner = model_->prepare({static_cast<int64_t>(part.count), part.padded});
    if (!inner) return inner.error();
    return model_->as<Diagnoses>()->diagnose(**inner, trace_file, diagnosis);
  }

 private:
  // Some at a time, since a tokenizer may fill all up to the longest.
  Result<std::vector<int64_t>> tokens_of(const std::vector<std::string>& texts) {
    constexpr std::size_t kAtOnce = 64;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    std::vector<int64_t> lengths;
    for (std::size_t first = 0; first < views.size(); first += kAtOnce) {
      const auto rows = work_.tokenizer->tokenize(
          std::span(views).subspan(first, std::min(kAtOnce, views.size() - first)));
      if (!rows) return rows.error();
      for (const auto& row : *rows) lengths.push_back(std::ssize(row));
    }
    return lengths;
  }

  Result<std::vector<std::string>> choose_sorted(int64_t batch_size) {
    const std::vector<std::string> seen = fair_sample(work_.texts, kMostTextsSeen, work_.seed);
    const auto lengths = tokens_of(seen);
    if (!lengths) return lengths.error();
    const auto cycle =
        sorted_cycle(*lengths, {std::ssize(work_.texts), work_.sort_window, batch_size});
    return base::mapped(cycle, [&](std::size_t place) { return seen[place]; });
  }

  Result<std::vector<std::string>> texts_of(const schema::Shape& shape) {
    if (!work_.texts.empty() && work_.sort_window > 0) return choose_sorted(shape.batch_size);
    if (!work_.texts.empty()) return choose_texts(work_.texts, shape.batch_size, work_.seed);
    if (!shape.lengths.empty()) return make_up_texts(*work_.tokenizer, shape.lengths, work_.seed);
    if (!shape.seq_len) {
      return Error{ErrorKind::failed, "the length of the texts is missing", "--text-lengths",
                   "add --text-lengths 100, or --texts FILE"};
    }
    const std::vector<int64_t> lengths(static_cast<std::size_t>(shape.batch_size), *shape.seq_len);
    return make_up_texts(*work_.tokenizer, lengths, work_.seed);
  }

  std::vector<SubBatch> parts_of(const Rows& rows) const {
    return split_by_budget(lengths_of(rows), work_.padding, work_.tokenizer->facts().max_length,
                           work_.token_budget);
  }

  Result<schema::Tokens> count(const TextBatch& batch) {
    schema::Tokens tokens;
    tokens.iterations = batch.cycle();
    for (int64_t i = 0; i < tokens.iterations; ++i) {
      const auto rows = work_.tokenizer->tokenize(batch.batch(i));
      if (!rows) return rows.error();
      for (const int64_t length : lengths_of(*rows)) tokens.real += length;
      for (const SubBatch& part : parts_of(*rows)) {
        tokens.padded += part.padded * static_cast<int64_t>(part.count);
      }
    }
    return tokens;
  }

  Result<void> embed(const Rows& rows, const SubBatch& part, engine::PhaseSink& sink) {
    const int64_t start = clock_.now_ns();
    sink.enter(schema::phases::kPad);
    const auto inputs =
        work_.inputs.make(rows, part, static_cast<int32_t>(work_.tokenizer->facts().pad_id));
    sink.phase(schema::phases::kPad, clock_.now_ns() - start, std::nullopt);
    const auto vectors = takes_.infer(inputs, work_.pool, sink);
    return vectors ? Result<void>() : vectors.error();
  }

  TextWork work_;
  std::unique_ptr<engine::Model> model_;
  engine::TakesTensors& takes_;  // the model
  const engine::Clock& clock_;
};

}  // namespace

std::unique_ptr<engine::Model> make_text_model(TextWork work, std::unique_ptr<engine::Model> model,
                                               engine::TakesTensors& takes,
                                               const engine::Clock& clock) {
  return std::make_unique<TextModel>(std::move(work), std::move(model), takes, clock);
}

}  // namespace batchscope::engines
