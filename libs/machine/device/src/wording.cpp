#include "wording.hpp"

#include <fmt/format.h>

namespace batchscope::device {

std::string two_decimals(double value) {
  return fmt::format("{:.2f}", value);
}

}  // namespace batchscope::device
