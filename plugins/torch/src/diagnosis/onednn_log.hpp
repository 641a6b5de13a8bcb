#pragma once

#include <string_view>
#include <vector>

#include "batchscope/schema/diagnosis.hpp"

namespace batchscope::torch_plugin {

// Sums oneDNN's verbose log by kind of primitive and implementation, the longest execution time
// first: executions, those of the same work each counted with the median of their times; and
// creations that no cache held (create:cache_miss). Lines are
// "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx512_core_amx,...,TIME" with the time
// in ms; older ones lack "v1" or "primitive" or begin with "dnnl_verbose", and a time stamp may
// precede. Anything else, a torn line too, is passed over.
std::vector<schema::Primitive> sum_onednn_log(std::string_view log);

}  // namespace batchscope::torch_plugin
