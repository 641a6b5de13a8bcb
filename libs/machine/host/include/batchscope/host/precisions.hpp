#pragma once

#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/schema/execution.hpp"

namespace batchscope::host {

// The precisions that a device ("cpu", "cuda:0") has instructions for, fp32 first. A processor has
// bf16 where it multiplies matrices of it (AVX512_BF16, AMX_BF16, or BF16 of Arm). An NVIDIA GPU
// has bf16 from compute capability 8 on, before it fp16; where that cannot be told both are named.
// Of several GPUs the oldest counts, since CUDA and the driver number them differently. Of any
// other device fp32 alone is known.
std::vector<schema::Precision> fast_precisions(const std::string& device,
                                               const base::SystemRoot& root, const gpu::Gpus& gpus);

}  // namespace batchscope::host
