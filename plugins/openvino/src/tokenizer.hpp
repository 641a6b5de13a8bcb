#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::openvino_plugin {

// The library with the operations of tokenizers: $BATCHSCOPE_OPENVINO_TOKENIZERS, else that of the
// wheel openvino-tokenizers beside OpenVINO's own, else one in OpenVINO's folder. Errors: failed.
base::Result<std::filesystem::path> find_tokenizers_library();

// Consecutive texts for each of at most `parts` threads, [first, last), about the same number of
// bytes each and none empty: tokenizing takes time by the byte.
std::vector<std::pair<std::size_t, std::size_t>> split_by_bytes(
    std::span<const std::string_view> texts, int parts);

// openvino-tokenizers runs an IR's operations on one thread, whatever inference_num_threads says,
// so the texts of a call are split among threads of our own, with a request each.
base::Result<std::unique_ptr<engine::Tokenizer>> load_tokenizer(const engine::TokenizerSpec& spec);

}  // namespace batchscope::openvino_plugin
