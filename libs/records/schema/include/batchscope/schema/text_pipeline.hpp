#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/schema/open_enum.hpp"

namespace batchscope::schema {

// How the vectors of a text's tokens become one.
enum class Pooling {
  none,
  mean,  // over the tokens whose mask is not 0; 0 where there are none
  cls,   // the first token
  other
};
std::string_view to_string(Pooling pooling);

// In which a cycle's texts form batches: as they come, or by length.
enum class TextOrder { arrival, sorted, other };
std::string_view to_string(TextOrder order);

// To how many tokens the rows of a batch are filled up. A text in files: "longest", "multiple:8",
// "max".
class Padding {
 public:
  // To the longest row of the batch; to that, rounded up to a multiple; to the most that the model
  // takes; in a way that only a later version knows, whose text is kept.
  enum class To { longest, multiple, max, other };

  Padding() = default;
  // Takes any text.
  explicit Padding(std::string_view text);

  To to() const { return to_; }
  int64_t multiple() const { return multiple_; }  // from 1 to 4096; 1 unless to() is `multiple`
  // As it stands in the file; lives as long as this.
  std::string_view text() const { return text_; }
  std::strong_ordering operator<=>(const Padding& other) const { return text_ <=> other.text_; }
  bool operator==(const Padding& other) const { return text_ == other.text_; }

 private:
  To to_ = To::longest;
  int64_t multiple_ = 1;
  std::string text_ = "longest";
};

// Texts in, vectors out: what an iteration does around the model, which then gets its input from
// the texts instead of made-up tensors.
struct TextPipeline {
  std::string tokenizer{};    // its file
  std::string texts{};        // the file they stand in, one a line; empty: made-up words
  int64_t max_length = 0;     // tokens that a text is cut at; 0: as the tokenizer says
  int tokenizer_threads = 1;  // that share the texts of a batch
  Padding padding{};
  OpenEnum<TextOrder> order = TextOrder::arrival;
  // Texts that are sorted together, 1 in order of arrival; 0: as before there were windows, when
  // those of a cycle were, or, with sort_all, as many as there are.
  int64_t sort_window = 0;
  bool sort_all = false;  // all of them, whose number the window then is
  int64_t token_budget =
      0;  // of one forward pass, padding included; a batch takes several; 0: none
  OpenEnum<Pooling> pooling = Pooling::mean;
  bool normalize = true;  // the vectors to length 1
  auto operator<=>(const TextPipeline&) const = default;
};

std::string describe(const TextPipeline& pipeline);
// As it is typed: "all", "64"; empty: not stated, or nothing is sorted.
std::string sort_window_text(const TextPipeline& pipeline);
// "texts of corpus.txt, 2 tokenizer threads, sorted by length"; leaves out what is at its default,
// but never whose texts they are.
std::string in_words(const TextPipeline& pipeline);
// Each of its parts in words, at its default too.
std::string texts_in_words(const TextPipeline& pipeline);    // "generated texts"
std::string padding_in_words(const TextPipeline& pipeline);  // "padded to a multiple of 8"
std::string order_in_words(const TextPipeline& pipeline);    // "sorting within 64 texts"
std::string budget_in_words(const TextPipeline& pipeline);   // "512 tokens a pass"
std::string pooling_in_words(const TextPipeline& pipeline);  // "mean pooling"

}  // namespace batchscope::schema
