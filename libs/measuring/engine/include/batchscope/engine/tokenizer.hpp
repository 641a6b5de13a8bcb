#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/install_paths.hpp"

namespace batchscope::engine {

// What a tokenizer is loaded as.
struct TokenizerSpec {
  std::string path;        // tokenizer.xml, as tools/models/convert_tokenizer.py writes it
  int threads = 1;         // that share the texts of one call
  int64_t max_length = 0;  // tokens that a text is cut at, special ones included; 0: its own
};

struct TokenizerFacts {
  int64_t vocabulary = 0;      // ids are below it
  int64_t max_length = 0;      // tokens that a text is cut at, special ones included
  int64_t pad_id = 0;          // what shorter texts of a batch are filled up with; -1: it has none
  int64_t special_tokens = 0;  // that every text gets
};

// Turns texts into the numbers that a model knows. One call at a time.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  virtual const TokenizerFacts& facts() const = 0;
  // The ids of each text: special tokens included, cut at max_length, not padded. An empty text has
  // its special tokens only. Errors: input (a text that is not UTF-8, by its number from 1),
  // failed.
  virtual base::Result<std::vector<std::vector<int32_t>>> tokenize(
      std::span<const std::string_view> texts) = 0;
};

// What a plugin that has tokenizers exports beside the entry points of plugin.hpp, with C linkage:
// loads one, or says why not.
using TokenizerEntry = void(const TokenizerSpec& spec,
                            base::Result<std::unique_ptr<Tokenizer>>& loaded);
inline constexpr const char* kTokenizerEntry = "batchscope_load_tokenizer";

// From the plugin in places.plugins that EngineDescription::tokenizes. Errors: failed (no such
// plugin, or it lacks openvino-tokenizers, with the way to get it), input (no such file, or no
// tokenizer), usage (a max_length that leaves no room for text, fewer than 1 thread).
base::Result<std::unique_ptr<Tokenizer>> load_tokenizer(const TokenizerSpec& spec,
                                                        const InstallPaths& places);

}  // namespace batchscope::engine
