#pragma once

#include <string>

namespace batchscope::base {

// The number of a percentage that may span orders of magnitude, such as how far outputs are apart:
// two significant digits below 10, whole numbers from there, never in exponent form. 0.034 ->
// "3.4", 0.0003 -> "0.03", 0.996 -> "100"; the sign is kept. Shares and changes: findings::percent.
std::string format_percent(double ratio);

}  // namespace batchscope::base
