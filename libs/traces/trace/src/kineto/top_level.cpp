#include "top_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "collector.hpp"
#include "formats/scan.hpp"

namespace batchscope::trace {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestHead = size_t{64} << 20;
constexpr size_t kLongestMember = size_t{1} << 20;  // one that is longer is none of ours

enum class Step { member, events, end, incomplete, broken };

// Takes one member, from `at` on, and moves `at` behind it, or behind the '[' of the events.
Step take_member(std::string_view text, size_t& at, TopLevel& into) {
  size_t next = skip_space(text, at);
  if (next != kNotFound && text[next] == ',') next = skip_space(text, next + 1);
  if (next == kNotFound) return Step::incomplete;
  if (text[next] == '}') return Step::end;
  if (text[next] != '"') return Step::broken;
  const size_t key_end = end_of_value(text, next);
  const size_t colon = key_end == kNotFound ? kNotFound : skip_space(text, key_end);
  if (colon == kNotFound) return Step::incomplete;
  const size_t value = skip_space(text, colon + 1);
  if (value == kNotFound) return Step::incomplete;
  const std::string_view key = unquoted(text.substr(next, key_end - next));
  if (text[colon] != ':') return Step::broken;
  if (key == "traceEvents" && text[value] == '[') {
    at = value + 1;
    return Step::events;
  }
  const size_t end = end_of_value(text, value);
  if (end == kNotFound) return Step::incomplete;
  at = end;
  if (end - value <= kLongestMember) {
    into.members.push_back({std::string(key), std::string(text.substr(value, end - value))});
  }
  return Step::member;
}

base::Error neither_form(std::string_view source, std::string_view text) {
  constexpr size_t kShown = 16;
  return no_trace(source,
                  fmt::format("is not a trace: it is neither JSON nor SQLite; it begins with {:?}",
                              text.substr(0, kShown)));
}

// Behind the '[' of the events; kNotFound where more text is needed. Errors as read_head.
base::Result<size_t> find_events(std::string_view text, std::string_view source, TopLevel& top) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  size_t at = skip_space(text, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  if (at == kNotFound) return kNotFound;
  if (text[at] == '[') {
    top.is_array = true;
    return at + 1;
  }
  if (text[at] != '{') return neither_form(source, text);
  ++at;
  for (;;) {
    switch (take_member(text, at, top)) {
      case Step::member:
        continue;
      case Step::events:
        return at;
      case Step::incomplete:
        return kNotFound;
      case Step::end:
      case Step::broken:
        return no_trace(source, "is not a trace: it has no \"traceEvents\"");
    }
  }
}

int small(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return 0;
  const auto value = found->get<int64_t>();
  return value >= 0 && value < INT32_MAX ? static_cast<int>(value) : 0;
}

void take_devices(const Json& list, Trace& trace) {
  constexpr size_t kMost = 4096;
  if (!list.is_array() || list.size() > kMost) return;
  for (const Json& each : list) {
    if (!each.is_object()) continue;
    DeviceInfo device;
    device.id = small(each, "id");
    if (each.contains("name") && each["name"].is_string()) device.name = each["name"];
    const auto memory = each.find("totalGlobalMem");
    if (memory != each.end() && memory->is_number_unsigned()) {
      device.memory_bytes = static_cast<int64_t>(memory->get<uint64_t>() & INT64_MAX);
    }
    device.compute_major = small(each, "computeMajor");
    device.compute_minor = small(each, "computeMinor");
    device.multiprocessors = small(each, "numSms");
    trace.devices.push_back(std::move(device));
  }
}

// What tells whether two recordings were made alike, and what the recorder was asked for.
constexpr std::array<std::string_view, 14> kSettings{
    "cuda_driver_version", "cuda_runtime_version", "cupti_version",  "hip_driver_version",
    "hip_runtime_version", "roctracer_version",    "torch_version",  "pytorch_version",
    "record_shapes",       "with_stack",           "profile_memory", "with_flops",
    "with_modules",        "num_workers"};

void take_setting(const std::string& key, const Json& value, Trace& trace) {
  if (std::find(kSettings.begin(), kSettings.end(), key) == kSettings.end()) return;
  if (value.is_string()) trace.settings[key] = value;
  if (value.is_number()) trace.settings[key] = value.dump();
}

void take_rank(const Json& info, Trace& trace) {
  if (!info.is_object()) return;
  const auto nccl = info.find("nccl_version");
  if (nccl != info.end() && nccl->is_string()) trace.settings["nccl_version"] = *nccl;
  if (!info.contains("rank")) return;
  trace.rank = small(info, "rank");
  if (info.contains("world_size")) trace.world_size = small(info, "world_size");
}

}  // namespace

base::Error no_trace(std::string_view source, std::string what) {
  return base::Error{base::ErrorKind::input, std::move(what), std::string(source),
                     "give a trace of torch.profiler (Chrome's trace format) or an SQLite export "
                     "of Nsight Systems"};
}

base::Result<TopLevel> read_head(BlockReader& reader, std::string_view source) {
  std::string text;
  for (size_t wanted = size_t{1} << 16;; wanted *= 2) {
    text += reader.rest(wanted - text.size());
    TopLevel top;
    auto events = find_events(text, source, top);
    if (!events) return std::move(events).error();
    if (*events != kNotFound) {
      reader.put_back(std::string_view(text).substr(*events));
      return top;
    }
    if (text.size() < wanted || wanted >= kLongestHead) break;
  }
  return no_trace(source, text.empty() ? "is empty" : "is not a trace: it contains no event");
}

size_t read_tail(std::string_view text, TopLevel& into) {
  if (into.is_array) return 0;
  for (size_t at = 0;;) {
    switch (take_member(text, at, into)) {
      case Step::member:
        continue;
      case Step::end:
        return text.find('}', at) + 1;
      default:
        return kNotFound;
    }
  }
}

void take_over(const TopLevel& top, bool is_kineto, std::string_view recorder, Trace& trace) {
  for (const auto& [key, value] : top.members) {
    is_kineto = is_kineto || key == "schemaVersion" || key == "deviceProperties";
    const Json json = Json::parse(value, nullptr, /*allow_exceptions=*/false);
    if (key == "deviceProperties") take_devices(json, trace);
    if (key == "distributedInfo") take_rank(json, trace);
    if (key == "baseTimeNanoseconds" && json.is_number_integer()) trace.base_time_ns = json;
    take_setting(key, json, trace);
  }
  trace.read.profiler = is_kineto          ? "PyTorch Profiler (Kineto)"
                        : recorder.empty() ? "Chrome trace"
                                           : std::string(recorder);
}

}  // namespace batchscope::trace
