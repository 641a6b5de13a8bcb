#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace batchscope::base {

// "1 block", "12 blocks", "0 batches": the noun is given in the singular, and its last letters say
// how its plural ends.
std::string counted_noun(int64_t n, std::string_view noun);

template <std::integral Count>
std::string counted(Count n, std::string_view noun) {
  return counted_noun(static_cast<int64_t>(n), noun);
}

}  // namespace batchscope::base
