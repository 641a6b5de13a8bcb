#include "kineto_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace batchscope::trace_simulator {
namespace {

constexpr const char* kDevices =
    R"("deviceProperties": [{{"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 84990623744, )"
    R"("computeMajor": 8, "computeMinor": 0, "numSms": 108}}, {{"id": 1, "name": "NVIDIA A100-SXM4-80GB", )"
    R"("totalGlobalMem": 84990623744, "computeMajor": 8, "computeMinor": 0, "numSms": 108}}])";

class Writer {
 public:
  Writer(const Program& program, const Timeline& line, const Style& style)
      : program_(program), line_(line), style_(style) {}

  KinetoText run() {
    for (const HostEvent& event : line_.host) {
      if (event.start_ns >= line_.recorded_from_ns) host(event);
    }
    for (const DeviceEvent& event : line_.device) {
      if (event.start_ns < line_.recorded_from_ns) continue;
      if (!event.is_lost || event.lacks_time) device(event);
    }
    steps_on_devices();
    labels();
    if (style_.has_overhead) overhead();
    text_.head = "{\n  \"schemaVersion\": 1,\n";
    if (!style_.is_2021) text_.head += "  \"baseTimeNanoseconds\": 1751410836000000000,\n";
    const std::string devices = fmt::format(kDevices);
    if (!style_.describes_devices_last) text_.head += "  " + devices + ",\n";
    text_.head += "  \"traceEvents\": [\n";
    text_.tail = "\n  ]";
    if (style_.describes_devices_last) text_.tail += ",\n  " + devices;
    text_.tail += ",\n  \"traceName\": \"trace.json\"\n}\n";
    return std::move(text_);
  }

 private:
  // As Kineto does: nanoseconds divided by 1000, what is left over dropped.
  std::string microseconds(int64_t ns) const {
    if (style_.is_2021) return fmt::format("{}", ns / 1000);
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
  }
  std::string times(int64_t start, int64_t end) const {
    return fmt::format(R"("ts": {}, "dur": {})", microseconds(style_.begin_ns + start),
                       microseconds(end - start));
  }

  std::string_view category(const HostEvent& event) const {
    switch (event.kind) {
      case HostKind::op:
        return style_.is_2021 ? "Operator" : "cpu_op";
      case HostKind::range:
        return style_.is_2021 ? "Operator" : "user_annotation";
      case HostKind::runtime:
        return style_.is_2021 ? "Runtime" : "cuda_runtime";
      case HostKind::python:
        break;
    }
    return "python_function";
  }

  bool is_left_out(const HostEvent& event) const {
    if (event.kind == HostKind::python) return style_.is_2021 || !style_.has_python;
    if (event.kind != HostKind::runtime && !style_.has_operators) return true;
    return !style_.has_steps && event.name.starts_with("ProfilerStep#");
  }

  std::string host_arguments(const HostEvent& event) {
    const int id = ++external_id_;
    if (event.kind == HostKind::runtime) {
      return fmt::format(R"("cbid": 211, "correlation": {}, "External id": {})", event.correlation,
                         id);
    }
    if (event.kind == HostKind::python) {
      return fmt::format(R"("Python id": {}, "Python parent id": {})", id, std::max(0, id - 1));
    }
    if (style_.is_2021) {
      return fmt::format(R"("External id": {}, "Call stack": "train.py(10): <module>", )"
                         R"("Input Dims": [[8, 128]], "Input type": ["float"])",
                         id);
    }
    return fmt::format(R"("External id": {}, "Ev Idx": {}, "Input type": ["float", "Scalar"])", id,
                       id);
  }

  void host(const HostEvent& event) {
    if (is_left_out(event)) return;
    const bool elsewhere = event.kind == HostKind::python && style_.python_is_elsewhere;
    const int64_t thread = elsewhere ? 0 : program_.threads[event.thread].id;
    const int64_t process = elsewhere ? 0 : style_.process;
    const std::string tid =
        style_.is_2021 ? fmt::format("\"{}\"", thread) : fmt::format("{}", thread);
    text_.events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, {}, "args": {{{}}}}})",
        category(event), event.name, process, tid, times(event.start_ns, event.end_ns),
        host_arguments(event)));
    if (event.kind == HostKind::runtime)
      flow("s", event.correlation, fmt::format("{}", style_.process), tid, event.start_ns);
    if (event.synchronises && !style_.is_2021) waits_on_device(event);
  }

  void flow(std::string_view phase, int64_t id, const std::string& pid, const std::string& tid,
            int64_t start) {
    if (!style_.has_flows) return;
    const std::string_view name = style_.is_2021 ? "launch" : "ac2g";
    const std::string_view category = style_.is_2021 ? "async" : "ac2g";
    text_.events.push_back(fmt::format(
        R"({{"ph": "{}", "id": {}, "pid": {}, "tid": {}, "ts": {}, "cat": "{}", "name": "{}"{}}})",
        phase, id, pid, tid, microseconds(style_.begin_ns + start), category, name,
        phase == "f" ? R"(, "bp": "e")" : ""));
  }

  void waits_on_device(const HostEvent& event) {
    text_.events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": {}, "tid": {}, {}, )"
        R"("args": {{"correlation": {}, "device": {}, "stream": {}}}}})",
        event.place.device, event.place.stream, times(event.start_ns, event.end_ns),
        event.correlation, event.place.device, event.place.stream));
  }

  std::string_view category(const DeviceEvent& event) const {
    switch (event.kind) {
      case DeviceKind::memcpy:
        return style_.is_2021 ? "Memcpy" : "gpu_memcpy";
      case DeviceKind::memset:
        return style_.is_2021 ? "Memset" : "gpu_memset";
      case DeviceKind::kernel:
        break;
    }
    return style_.is_2021 ? "Kernel" : "kernel";
  }

  std::string stream(Place place) const {
    return style_.is_2021 ? fmt::format("\"stream {}\"", place.stream)
                          : fmt::format("{}", place.stream);
  }

  void device(const DeviceEvent& event) {
    std::string more;
    if (event.kind == DeviceKind::kernel) {
      more =
          R"("grid": [216, 1, 1], "block": [128, 1, 1], "registers per thread": 32, "blocks per SM": 2)";
    } else {
      more = fmt::format(R"("bytes": {})", event.bytes);
    }
    if (event.is_collective && !style_.is_2021) more += R"(, "Collective name": "allreduce")";
    text_.events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, {}, )"
        R"("args": {{"device": {}, "context": 1, "stream": {}, "correlation": {}, {}}}}})",
        category(event), event.name, event.place.device, stream(event.place),
        event.lacks_time ? R"("ts": 0, "dur": 0)" : times(event.start_ns, event.end_ns),
        event.place.device, event.place.stream, event.correlation, more));
    flow("f", event.correlation, fmt::format("{}", event.place.device), stream(event.place),
         event.start_ns);
  }

  // What the recorder of today draws on a device for each step: from its first to its last work.
  void steps_on_devices() {
    if (style_.is_2021 || !style_.has_steps || line_.device.empty()) return;
    const auto [first, last] = std::minmax_element(
        line_.device.begin(), line_.device.end(),
        [](const DeviceEvent& a, const DeviceEvent& b) { return a.start_ns < b.start_ns; });
    text_.events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#10", "pid": 0, "tid": 7, {}, "args": {{"External id": 1}}}})",
        times(std::max(first->start_ns, line_.recorded_from_ns), last->end_ns)));
  }

  void labels() {
    text_.events.push_back(fmt::format(
        R"({{"name": "process_name", "ph": "M", "ts": {}, "pid": {}, "tid": 0, "args": {{"name": "python"}}}})",
        microseconds(style_.begin_ns), style_.process));
    for (const HostThread& thread : program_.threads) {
      text_.events.push_back(fmt::format(
          R"-({{"name": "thread_name", "ph": "M", "ts": {}, "pid": {}, "tid": {}, "args": {{"name": "thread {} ({})"}}}})-",
          microseconds(style_.begin_ns), style_.process, thread.id, thread.id, thread.name));
    }
  }

  void overhead() {
    const int64_t start = std::max<int64_t>(0, line_.recorded_from_ns) + 50'000;
    text_.events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 0, {}}})",
        times(start, start + 40'000)));
  }

  const Program& program_;
  const Timeline& line_;
  const Style& style_;
  KinetoText text_;
  int external_id_ = 0;
};

}  // namespace

std::string KinetoText::full() const {
  std::string text = head;
  for (size_t i = 0; i < events.size(); ++i) {
    if (i > 0) text += ",\n";
    text += events[i];
  }
  return text + tail;
}

KinetoText kineto_text(const Program& program, const Timeline& line, const Style& style) {
  return Writer(program, line, style).run();
}

}  // namespace batchscope::trace_simulator
