#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/engines/embed_texts.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::api {

struct EmbedOptions {
  std::string model{};                 // of the models folders
  std::vector<std::string> texts{};    // UTF-8
  std::filesystem::path texts_file{};  // a text a line, where none are given
  std::string engine{};                // empty: the preferred one, see engine::own_engines
  std::string device = "cpu";
  schema::Precision precision = schema::Precision::fp32;
  std::optional<int> threads{};  // of the model; absent: the physical cores allowed
  int tokenizer_threads = 1;
  int64_t max_length = 0;       // tokens that a text is cut at; 0: the tokenizer's own
  std::size_t batch_size = 32;  // texts at a time, at least 1
};

// The vectors of texts in their order, computed sorted by length, each batch padded to its longest
// text, pooled as the stored model says. Errors: usage (no such model, a length that it cannot
// take), input (the texts' file, a tokenizer that does not fit the model), and those of loading and
// running the model.
base::Result<engines::Embedded> embed(const Program& program, const EmbedOptions& options);

}  // namespace batchscope::api
