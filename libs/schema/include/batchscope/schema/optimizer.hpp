#pragma once

#include <string_view>

#include "batchscope/schema/open_enum.hpp"

namespace batchscope::schema {

// What RunConfig::optimizer names, as far as anything is known of it. Engines implement some.
enum class Optimizer { sgd, adam, adamw, rmsprop, other };
std::string_view to_string(Optimizer optimizer);

inline Optimizer optimizer_of(std::string_view name) {
  return OpenEnum<Optimizer>(name).value();
}

}  // namespace batchscope::schema
