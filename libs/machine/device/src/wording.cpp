#include "wording.hpp"

#include <fmt/format.h>

namespace batchscope::device {

std::string two_decimals(double value) {
  return fmt::format("{:.2f}", value);
}

std::string counted(int64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace batchscope::device
