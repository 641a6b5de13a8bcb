#include "categories.hpp"

#include <array>
#include <string>
#include <utility>

#include "raw_event.hpp"

namespace batchscope::trace {
namespace {

using Kind = ActivityKind;

constexpr std::array<std::pair<std::string_view, Kind>, 25> kCategories{{
    {"cpu_op", Kind::op},
    {"operator", Kind::op},
    {"python_function", Kind::python},
    {"user_annotation", Kind::range},
    {"runtime", Kind::runtime},
    {"cuda_runtime", Kind::runtime},
    {"cuda_driver", Kind::runtime},
    {"hip_runtime", Kind::runtime},
    {"xpu_runtime", Kind::runtime},
    {"xpu_driver", Kind::runtime},
    {"mtia_runtime", Kind::runtime},
    {"privateuse1_runtime", Kind::runtime},
    {"privateuse1_driver", Kind::runtime},
    {"glow_runtime", Kind::runtime},
    {"kernel", Kind::kernel},
    {"mtia_ccp_events", Kind::kernel},
    {"hpu_op", Kind::kernel},
    {"gpu_memcpy", Kind::memcpy},
    {"memcpy", Kind::memcpy},
    {"gpu_memset", Kind::memset},
    {"memset", Kind::memset},
    {"gpu_user_annotation", Kind::device_range},
    {"cuda_sync", Kind::device_wait},
    {"overhead", Kind::overhead},
    {"xpu_sync", Kind::device_wait},
}};

constexpr std::array<std::string_view, 8> kNoActivities{"trace",
                                                        "ac2g",
                                                        "async",
                                                        "fwdbwd",
                                                        "cpu_instant_event",
                                                        "async_cpu_to_gpu",
                                                        "cuda_profiler_range",
                                                        "collective_comm"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

CopyDirection direction_of(std::string_view name) {
  if (has(name, "HtoD") || has(name, "HostToDevice")) return CopyDirection::to_device;
  if (has(name, "DtoH") || has(name, "DeviceToHost")) return CopyDirection::to_host;
  if (has(name, "PtoP") || has(name, "PeerToPeer")) return CopyDirection::between_devices;
  if (has(name, "DtoD") || has(name, "DeviceToDevice")) return CopyDirection::on_device;
  return CopyDirection::unknown;
}

HostMemory host_memory_of(std::string_view name, CopyDirection direction) {
  if (has(name, "Pageable")) return HostMemory::pageable;
  if (has(name, "Pinned")) return HostMemory::pinned;
  const bool knows_the_host =
      direction == CopyDirection::on_device || direction == CopyDirection::between_devices;
  return knows_the_host ? HostMemory::none : HostMemory::unknown;
}

}  // namespace

Category category_of(std::string_view token) {
  const std::string name = lower(unquoted(token));
  for (const auto& [known, kind] : kCategories) {
    if (known == name) return {kind, true};
  }
  for (const std::string_view known : kNoActivities) {
    if (known == name) return {std::nullopt, true};
  }
  return {std::nullopt, false};
}

CopyFacts copy_facts(std::string_view name) {
  CopyFacts facts;
  facts.direction = direction_of(name);
  facts.host_memory = host_memory_of(name, facts.direction);
  return facts;
}

}  // namespace batchscope::trace
