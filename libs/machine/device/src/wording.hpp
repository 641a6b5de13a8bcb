#pragma once

#include <string>

namespace batchscope::device {

// With two digits after the point.
std::string two_decimals(double value);

}  // namespace batchscope::device
