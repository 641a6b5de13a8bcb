#include "batchscope/schema/fields.hpp"

#include <fmt/format.h>

namespace batchscope::schema {

bool ReadFields::has(std::string_view name) const {
  for (std::size_t i = 0; i < table_.fields.size(); ++i) {
    if (table_.fields[i].name == name) return (seen_ >> i & 1U) != 0;
  }
  return false;
}

void ReadFields::fail(std::string_view name, std::string_view what) {
  if (problem_.empty()) problem_ = fmt::format("{} {}", name, what);
}

}  // namespace batchscope::schema
