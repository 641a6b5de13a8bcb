#pragma once

#include <string_view>
#include <vector>

#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// What a name says of an activity that has it.
struct NameClass {
  bool loads_data = false;  // of a range or operator: the host waits for samples
  bool loads_data_in_python = false;
  bool waits = false;         // of a call: it returns once the device got somewhere
  bool copies = false;        // of a call: it starts a copy
  bool launches = false;      // of a call: it starts kernels
  bool allocates = false;     // of a call: it gets or returns memory of a device or pinned memory
  bool communicates = false;  // of a kernel or the operator around it
  bool is_recorded_step = false;
};

NameClass class_of(std::string_view name);
// Of each of the trace's names.
std::vector<NameClass> classes_of(const std::vector<std::string>& names);

}  // namespace batchscope::attribution
