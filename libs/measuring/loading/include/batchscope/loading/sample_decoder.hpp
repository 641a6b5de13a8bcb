#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::loading {

// One input of one sample in a host batch: its row, as long as the decoder says.
struct SampleRow {
  float* floats = nullptr;      // of float32
  int64_t* integers = nullptr;  // of int64
  bool* flags = nullptr;        // of bool (masks)
};

// Turns files into rows of the inputs of a model, as a data loader does. By the file's name:
// .ppm (P6, 8 bits): an image, resized (bilinear) to the input float32 Bx3xHxW, normalised with the
// means and deviations of ImageNet. .txt: lower-cased words, hashed into the range of the input
// int64 BxS, cut at S or filled up with the smallest id; masks tell words (1) from filling (0).
// Whatever else, and inputs that are neither: bytes / 255, or bytes hashed into the range.
// Thread-safe once made.
class SampleDecoder {
 public:
  // `bool_masks`: masks are bool, whatever they declare. `target`: class numbers (int64 B) are the
  // labels of samples, modulo their range. Errors: failed (an input that does not begin with B, of
  // another type than float32 and int64, or with a length where `seq_len` says none).
  static base::Result<SampleDecoder> make(std::vector<engine::InputSpec> inputs,
                                          const std::optional<engine::InputSpec>& target,
                                          std::optional<int64_t> seq_len, bool bool_masks);

  // What to make room for: the shape of a row (without B), float32, int64 or boolean; inputs
  // first, then the target.
  struct Field {
    engine::InputSpec spec;
    std::vector<int64_t> row;
    engine::DType dtype = engine::DType::float32;
    int64_t elements = 1;
  };
  std::span<const Field> fields() const { return fields_; }

  // `rows`: one a field. Errors: input (an empty file, an image that is none).
  base::Result<void> decode(const std::filesystem::path& path, std::string_view content,
                            int64_t label, std::span<const SampleRow> rows) const;

 private:
  std::vector<Field> fields_;
  bool has_target_ = false;
};

}  // namespace batchscope::loading
