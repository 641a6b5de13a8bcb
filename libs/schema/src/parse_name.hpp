#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::schema {

// The purpose of a visit line; only a run file holds one.
base::Result<Purpose> parse_purpose(std::string_view text);

}  // namespace batchscope::schema
