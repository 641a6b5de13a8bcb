#pragma once

#include "batchscope/planning/plan.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::planning {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

inline const std::vector<int64_t> kSizes{1, 2, 4, 8};

// 12 ms alone, 8 at once in 26 ms: up to 308 a second.
inline MeasuredCosts affine() {
  return {serving::affine_table(0.002, 0.010, kSizes), {}, kSizes, {}};
}

inline PlanRequest quick(double rate, std::optional<double> p99_s) {
  return {.rate_per_s = rate, .p99_s = p99_s, .requests = 3000, .series = 3};
}

inline const PolicyPlan* find(const CapacityPlan& plan, const std::string& name) {
  for (const PolicyPlan& policy : plan.policies) {
    if (policy.policy == name) return &policy;
  }
  return nullptr;
}

}  // namespace batchscope::planning
