#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kineto_text.hpp"
#include "losses.hpp"
#include "workload.hpp"

namespace batchscope::trace_simulator {

// Loops that are slow, or not, for the same reason, drawn at random.
struct Family {
  std::string_view name;
  bool is_healthy = false;  // the device is busy for more than 95 % of the time
  Workload (*draw)(Random& random);
  bool may_lack_operators = false;  // it can be told from what the runtime and the device record
};

const std::vector<Family>& families();

// One of a family, from its seed: what it does and how it is recorded.
struct Case {
  Program program;
  Style style;
};
Case draw_case(const Family& family, uint64_t seed, const Disturbance& disturbance = {});

// Graphs whose kernels wait within them, and others of which the device holds back what it was
// given.
const std::vector<Family>& held_families();

}  // namespace batchscope::trace_simulator
