#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "name_classes.hpp"
#include "spans.hpp"

namespace batchscope::attribution {

// What one device did.
struct DeviceActivity {
  int64_t id = 0;
  Spans compute;
  Spans memcpy;                // exposed: outside of compute
  Spans communication;         // exposed: outside of both
  Spans busy;                  // all three
  std::vector<uint32_t> rows;  // kernels, copies and memsets in the order of their start

  int64_t start_ns() const { return busy.front().start_ns; }
  int64_t end_ns() const { return busy.back().end_ns; }
};

// Every device that did something for any time, by id.
std::vector<DeviceActivity> activity_by_device(const trace::Trace& trace,
                                               const std::vector<NameClass>& classes);

}  // namespace batchscope::attribution
