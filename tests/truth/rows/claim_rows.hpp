#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "random_laws.hpp"
#include "row.hpp"

namespace batchscope::truth {

// A run in which no size is odd: whatever it is called is wrong.
struct Innocent {
  std::string what;
  Law law;
  std::vector<int64_t> sizes;
  std::string noise;
  int blocks = 12;
  std::optional<double> visit_s = std::nullopt;  // timed; absent: 5 iterations
};

// Anything called proven; at most 5 %.
Row any_claim(const std::string& topic, const Innocent& run);
// A departure called proven: larger batches may really be dominated. At most 5 %.
Row any_departure(const std::string& topic, const Innocent& run);

}  // namespace batchscope::truth
