#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engines/padding.hpp"

namespace batchscope::engines {

// Texts are embedded. Errors: usage (training).
base::Result<void> check_mode(schema::Mode mode);

// What a model's inputs are to be fed with from tokens.
class TextInputs {
 public:
  // Inputs are known by their names: "...mask..." tells tokens (1) from padding (0), "...type..."
  // is 0 throughout, "...ids..." are the tokens. Without a known one the model takes input_ids and
  // attention_mask. Errors: usage (an input of another name, shape or type; none for tokens).
  static base::Result<TextInputs> of(std::span<const engine::InputSpec> wanted,
                                     const std::string& where);

  // The same, of a model that knows every token of the tokenizer at `path`, where its inputs tell
  // their range. Errors: also input.
  static base::Result<TextInputs> of(std::span<const engine::InputSpec> wanted,
                                     const std::string& where, int64_t vocabulary,
                                     const std::string& path);

  // The tensors [part.count, part.padded] of these rows.
  std::vector<engine::Tensor> make(std::span<const std::vector<int32_t>> rows, const SubBatch& part,
                                   int32_t pad_id) const;

 private:
  enum class Role { tokens, mask, zeros };
  struct Input {
    std::string name;
    Role role = Role::tokens;
    bool wide = true;  // int64; else int32
  };
  static base::Result<Input> input_of(const engine::InputSpec& spec, const std::string& where);

  std::vector<Input> inputs_;
};

}  // namespace batchscope::engines
