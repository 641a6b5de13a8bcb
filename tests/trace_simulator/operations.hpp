#pragma once

#include <cstddef>

#include "script.hpp"
#include "workload.hpp"

namespace batchscope::trace_simulator {

// What a thread does, as PyTorch does it: operators within operators, and the runtime's calls in
// them. Writes to a script.
class Operations {
 public:
  Operations(const Workload& workload, Script& script) : w_(workload), script_(script) {}

  // One operator of the model, by its place among them.
  void run(size_t index, bool is_backward, Place place);
  void reduce(Place collectives);
  void replay_graph(Place place);
  void make_batch();
  void copy_input(Place place);
  void item(Place place);
  void copy_to_host(Place place);
  void allocate(Place place);
  void host_work();

 private:
  DeviceWork kernel(const char* name, double us);
  void host_operators(const char* name, double each_us);

  const Workload& w_;
  Script& script_;
};

}  // namespace batchscope::trace_simulator
