#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::traceview {

// What lies of the pieces between two times, summed piece by piece.
inline attribution::TimeParts summed(const std::vector<attribution::Piece>& pieces, int64_t from,
                                     int64_t to) {
  attribution::TimeParts sum;
  for (const attribution::Piece& piece : pieces) {
    sum[piece.part] +=
        std::max<int64_t>(0, std::min(piece.end_ns, to) - std::max(piece.start_ns, from));
  }
  return sum;
}

inline std::vector<attribution::Piece> made_pieces(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<attribution::Piece> pieces;
  int64_t at = 1'683'564'901'549'715'000 + static_cast<int64_t>(seed) * 1000;
  for (size_t i = 0; i < count; ++i) {
    const int64_t length = 1000 * (1 + static_cast<int64_t>(random() % 60));
    pieces.push_back(
        {at, at + length, static_cast<attribution::Part>(random() % attribution::kParts)});
    at += length;
  }
  return pieces;
}

inline attribution::DeviceTime made_device(int64_t id, const std::string& name, size_t pieces) {
  attribution::DeviceTime device;
  device.id = id;
  device.pieces = made_pieces(pieces, static_cast<uint32_t>(id + 1));
  device.start_ns = device.pieces[3].start_ns;
  device.end_ns = device.pieces[pieces - 3].end_ns;
  device.parts = summed(device.pieces, device.start_ns, device.end_ns);
  attribution::Gap gap;
  gap.start_ns = device.pieces[10].start_ns;
  gap.end_ns = device.pieces[12].end_ns;
  gap.parts = summed(device.pieces, gap.start_ns, gap.end_ns);
  gap.cause = attribution::Part::host;
  gap.thread = 42;
  gap.thread_name = gap.call = gap.inside = gap.source = name;
  device.largest_gaps = {gap};
  device.places = {{attribution::Part::host, name, 400'000, 3, 3, name, name}};
  return device;
}

inline attribution::DeviceMemory made_memory(const attribution::DeviceTime& device) {
  attribution::DeviceMemory memory;
  memory.device = device.id;
  memory.has_totals = true;
  memory.timeline = {{device.start_ns, 1'000'000, 9'000'000},
                     {device.end_ns, 5'000'000, 9'000'000}};
  memory.peak = memory.timeline.back();
  memory.peak_reserved_bytes = 9'000'000;
  return memory;
}

// Its ends lie within pieces, as those of steps do.
inline attribution::Step made_step(size_t number, const std::string& name,
                                   const std::vector<attribution::DeviceTime>& devices) {
  const auto& first = devices.front().pieces;
  attribution::Step step;
  step.number = static_cast<int64_t>(number);
  step.name = name;
  step.start_ns = first[100 * number + 1].start_ns + 400;
  step.end_ns = first[100 * number + 101].start_ns + 400;
  for (const auto& device : devices) {
    step.devices.push_back(summed(device.pieces, step.start_ns, step.end_ns));
  }
  return step;
}

// A trace of two devices and three steps that never happened, with `name` wherever a trace has
// one, of at least 310 pieces a device. The devices' own time begins behind their first piece and
// ends before their last, as it does where steps are longer.
inline advice::TraceSummary made_summary(const std::string& name = "name", size_t pieces = 400) {
  advice::TraceSummary summary;
  summary.source = summary.read.profiler = name;
  summary.read.events = 1234;
  summary.read.problems = {{name, 3}};
  summary.message = "GPU 0 (" + name + ") is busy 40 % of 3.00 ms.";
  for (int64_t id = 0; id < 2; ++id) {
    summary.attribution.devices.push_back(made_device(id, name, pieces));
    summary.devices.push_back({id, name, 0, 0, 0, 0});
    summary.memory.push_back(made_memory(summary.attribution.devices.back()));
  }
  for (size_t number = 0; number < 3; ++number) {
    summary.attribution.steps.push_back(made_step(number, name, summary.attribution.devices));
  }
  summary.attribution.step_source = attribution::StepSource::recorded;
  attribution::Total total;
  total.name = name;
  total.calls = 7;
  total.total_ns = total.self_ns = 5'000'000;
  summary.kernels = summary.operators = {total};
  findings::Finding finding;
  finding.id = "trace.host-work";
  finding.severity = findings::Severity::high;
  finding.status = findings::Status::measured;
  finding.what = finding.fix = name;
  finding.gain = stats::Interval{0.14, 0.28};
  summary.findings = {finding};
  return summary;
}

}  // namespace batchscope::traceview
