#pragma once

#include <memory>

#include "batchscope/base/system_root.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

// Watches the machine over one visit. Virtual time has none.
class FitnessProbe {
 public:
  virtual ~FitnessProbe() = default;
  virtual void start() = 0;
  // Of the time since start().
  virtual schema::Fitness finish() = 0;
};

// CPU steal, load of others, throttling; read from /proc and the cgroup files.
std::unique_ptr<FitnessProbe> make_system_fitness_probe(const base::SystemRoot& root);

}  // namespace batchscope::measure
