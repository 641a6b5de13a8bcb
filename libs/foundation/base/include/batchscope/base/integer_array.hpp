#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace batchscope::base {

// Takes the JSON array that `text` begins with when it holds nothing but integers of at most 15
// digits, as the times of a visit do. Else false, which says nothing of whether it is JSON. At
// least 8 bytes are to follow the array: it is read by eights.
bool take_integers(std::string_view text, std::vector<int64_t>& values);

}  // namespace batchscope::base
