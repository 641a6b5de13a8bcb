#include "categories.hpp"

#include <array>
#include <string>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "raw_event.hpp"

namespace batchscope::trace {
namespace {

using base::contains_text;
using Kind = ActivityKind;

constexpr std::array<std::pair<std::string_view, Kind>, 29> kCategories{{
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
    {"hpu_op", Kind::runtime},  // Kineto: "HPU host side runtime event"
    {"kernel", Kind::kernel},
    {"mtia_ccp_events", Kind::kernel},
    {"gpu_memcpy", Kind::memcpy},
    {"memcpy", Kind::memcpy},
    {"gpu_memset", Kind::memset},
    {"memset", Kind::memset},
    {"gpu_user_annotation", Kind::device_range},
    {"cuda_sync", Kind::device_wait},
    {"overhead", Kind::overhead},
    {"xpu_sync", Kind::device_wait},
    {"gpu_op", Kind::kernel},  // Intel's unitrace
    {"node", Kind::op},        // ONNX Runtime, as the next two
    {"session", Kind::range},
    {"api", Kind::runtime},
}};

constexpr std::array<std::string_view, 13> kNoActivities{"trace",
                                                         "ac2g",
                                                         "async",
                                                         "fwdbwd",
                                                         "cpu_instant_event",
                                                         "async_cpu_to_gpu",
                                                         "cuda_event",
                                                         "cuda_profiler_range",
                                                         "collective_comm",
                                                         "external_correlation",
                                                         "mtia_counters",
                                                         "mtia_insight",
                                                         "xpu_scope_profiler"};

CopyDirection direction_of(std::string_view name) {
  using Spellings = std::array<std::string_view, 4>;
  constexpr std::array<std::pair<Spellings, CopyDirection>, 4> kDirections{{
      {{"HtoD", "HostToDevice", "HOST_TO_DEVICE", "H2D"}, CopyDirection::to_device},
      {{"DtoH", "DeviceToHost", "DEVICE_TO_HOST", "D2H"}, CopyDirection::to_host},
      {{"PtoP", "PeerToPeer", "PEER_TO_PEER", "P2P"}, CopyDirection::between_devices},
      {{"DtoD", "DeviceToDevice", "DEVICE_TO_DEVICE", "D2D"}, CopyDirection::on_device},
  }};
  for (const auto& [spellings, direction] : kDirections) {
    if (base::contains_any_text(name, spellings)) return direction;
  }
  return CopyDirection::unknown;
}

// Their first letter may be small.
HostMemory host_memory_of(std::string_view name, CopyDirection direction) {
  if (contains_text(name, "ageable")) return HostMemory::pageable;
  if (contains_text(name, "inned")) return HostMemory::pinned;
  const bool knows_the_host =
      direction == CopyDirection::on_device || direction == CopyDirection::between_devices;
  return knows_the_host ? HostMemory::none : HostMemory::unknown;
}

}  // namespace

Category category_of(std::string_view token) {
  const std::string name = base::to_lower(unquoted(token));
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
