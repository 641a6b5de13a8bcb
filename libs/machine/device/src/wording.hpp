#pragma once

#include <cstdint>
#include <string>

namespace batchscope::device {

// With two digits after the point.
std::string two_decimals(double value);
// "1 core", "2 cores"
std::string counted(int64_t count, const std::string& noun);

}  // namespace batchscope::device
