#include "batchscope/base/counted.hpp"

#include <fmt/format.h>

namespace batchscope::base {
namespace {

std::string_view plural_ending(std::string_view noun) {
  for (const std::string_view hissing : {"s", "x", "ch", "sh"}) {
    if (noun.ends_with(hissing)) return "es";
  }
  return "s";
}

}  // namespace

std::string counted_noun(int64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : plural_ending(noun));
}

}  // namespace batchscope::base
