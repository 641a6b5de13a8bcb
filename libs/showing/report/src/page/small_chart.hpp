#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// The time per sample at each batch size of a table as a drawing, without a script: some sizes set
// apart, the law dashed. Empty below two sizes.
std::string small_chart(const findings::Summary& summary, const findings::Group& group,
                        const std::vector<int64_t>& sizes);

}  // namespace batchscope::report
