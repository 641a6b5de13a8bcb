#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::schema {

enum class Precision { fp32, bf16, fp16 };
enum class Mode { infer, train };

std::string_view to_string(Precision precision);
std::string_view to_string(Mode mode);
// What RunConfig::optimizer names, as far as anything is known of it. Engines implement some.
enum class Optimizer { sgd, adam, adamw, rmsprop, other };
std::string_view to_string(Optimizer optimizer);
base::Result<Precision> parse_precision(std::string_view text);
base::Result<Mode> parse_mode(std::string_view text);

}  // namespace batchscope::schema
