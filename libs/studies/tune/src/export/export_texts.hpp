#pragma once

#include <string>
#include <string_view>

#include "batchscope/tune/export.hpp"

namespace batchscope::tune {

// One format each, with '\n' at its end.
std::string yaml(const Deployment& deployment);
std::string env(const Deployment& deployment);
std::string triton(const Deployment& deployment);
std::string tei(const Deployment& deployment);

// What is deployed and what it was measured at, as a comment that all formats understand.
std::string export_head(const Deployment& deployment);
// In double quotes, for YAML and for text of protobuf; without control characters.
std::string plain_quoted(std::string_view text);

// Whether it was measured on a CUDA device, which is what these servers mean by a GPU.
bool on_gpu(const schema::RunConfig& config);
// "1" of "cuda:1"; empty: the only one, or the first, or no CUDA device.
std::string gpu_index(const schema::RunConfig& config);
// That it was measured on an accelerator that is none of CUDA's, as a comment; else empty.
std::string other_accelerator(const schema::RunConfig& config);
// The variables and other settings of the process that it was measured under, as comments; else
// empty.
std::string environment_note(const schema::RunConfig& config);
// "measured with openvino", or that a table does not state it.
std::string engine_in_words(const schema::RunConfig& config);
// Whether samples have lengths, as texts have; images and tables have none.
bool takes_texts(const schema::RunConfig& config);

}  // namespace batchscope::tune
