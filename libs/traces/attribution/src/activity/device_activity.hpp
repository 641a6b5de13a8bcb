#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/attribution/spans.hpp"
#include "batchscope/trace/trace.hpp"
#include "correlations.hpp"
#include "name_classes.hpp"

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

struct ActivityByDevice {
  std::vector<DeviceActivity> devices;  // by id
  int64_t left_out = 0;
  int64_t without_time = 0;  // rows that say no valid time: they are left out
};

// Every device that did something for any time; of more than `most` those with most activities.
ActivityByDevice activity_by_device(const trace::Trace& trace,
                                    const std::vector<NameClass>& classes,
                                    const Correlations& correlations, size_t most);

}  // namespace batchscope::attribution
