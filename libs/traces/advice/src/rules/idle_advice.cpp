#include "idle_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/strings.hpp"
#include "memory_calls.hpp"

namespace batchscope::advice {
namespace {

using attribution::IdleSite;
using attribution::Part;
using base::contains_text;

std::string loading_advice(const HostFacts& host) {
  switch (host.loader) {
    case Loader::in_line:
      return "the loader has no workers (num_workers=0): DataLoader(..., num_workers=4, "
             "persistent_workers=True, pin_memory=True, prefetch_factor=4); raise num_workers "
             "until the wait ends or the CPUs are busy";
    case Loader::workers:
      return fmt::format(
          "the loader already has workers{}: raise num_workers while CPUs are idle, "
          "prefetch_factor if samples differ in cost, persistent_workers=True against waits at the "
          "start of an epoch; then make samples cheaper (smaller images, decode once)",
          host.loader_workers > 0 ? fmt::format(" ({})", host.loader_workers) : "");
    case Loader::tensorflow:
      return "dataset.map(..., num_parallel_calls=tf.data.AUTOTUNE) and "
             "dataset.prefetch(tf.data.AUTOTUNE)";
    case Loader::none:
      break;
  }
  return "prefetch in other threads or processes, for example DataLoader(..., num_workers=4, "
         "pin_memory=True)";
}

// What a host that waits for the device does, and what mends it.
struct Wait {
  enum Kind { scalar, memory, copy, event, entire_device, other };
};
constexpr size_t kWaits = 6;

Wait::Kind kind_of(std::string_view call) {
  if (gets_or_returns_memory(call)) return Wait::memory;
  if (contains_text(call, "Memcpy") || contains_text(call, "memcpy")) return Wait::copy;
  if (contains_text(call, "Event")) return Wait::event;
  if (contains_text(call, "DeviceSynchronize") || contains_text(call, "CtxSynchronize")) {
    return Wait::entire_device;
  }
  return Wait::other;
}

// Idle time by what the host waited in.
std::array<double, kWaits> waits_of(const DeviceFacts& device) {
  std::array<double, kWaits> waits{};
  for (const IdleSite& place : device.time.places) {
    if (place.cause != Part::synchronisation) continue;
    const auto ns = static_cast<double>(place.ns);
    const auto scalar = device.all.host.scalar_share.find(place.call);
    const double share = scalar == device.all.host.scalar_share.end() ? 0 : scalar->second;
    waits[Wait::scalar] += share * ns;
    waits[kind_of(place.call)] += (1 - share) * ns;
  }
  return waits;
}

std::string memory_advice(const VendorWords& words) {
  std::string text =
      "the loop allocates or frees device memory: remove torch.cuda.empty_cache(), record after "
      "warm-up";
  if (!words.allocator.empty()) {
    text += fmt::format(", and {}=expandable_segments:True", words.allocator);
  }
  return text;
}

std::string wait_advice(size_t kind, const VendorWords& words) {
  switch (kind) {
    case Wait::scalar:
      return "keep values on the device in the loop: loss.detach() instead of loss.item(), .item() "
             "only every 100 steps, no condition on a tensor";
    case Wait::memory:
      return memory_advice(words);
    case Wait::copy:
      return "copy without waiting: .to(device, non_blocking=True) from pinned memory "
             "(pin_memory=True), and read results a step later";
    case Wait::event:
      return "wait for an event only where its result is needed, if possible one step later";
    case Wait::entire_device:
      return "remove torch.cuda.synchronize() from the loop; measure time with events";
    default:
      return "move calls that wait for the device out of the loop, or make them one step later";
  }
}

std::string waiting_advice(const DeviceFacts& device) {
  const std::array<double, kWaits> waits = waits_of(device);
  const auto most = std::max_element(waits.begin(), waits.end());
  const VendorWords& words = device.all.words;
  std::string text = *most > 0 ? wait_advice(static_cast<size_t>(most - waits.begin()), words)
                               : wait_advice(Wait::other, words);
  const bool is_cuda = words.vendor == Vendor::nvidia || words.vendor == Vendor::amd;
  if (is_cuda && most - waits.begin() != Wait::memory) {
    text += "; find the calls with torch.cuda.set_sync_debug_mode(\"warn\")";
  }
  return text;
}

std::string launching_advice(const DeviceFacts& device) {
  const VendorWords& words = device.all.words;
  if (device.all.host.launches_graphs) {
    return "graphs run already: also capture the single launches between graphs, or use a larger "
           "batch";
  }
  const std::string graphs =
      words.graphs.empty()
          ? "torch.compile(model)"
          : fmt::format("torch.compile(model, mode=\"reduce-overhead\") ({})", words.graphs);
  const bool trains = device.all.host.trains;
  return graphs +
         (trains ? ", optimizers with fused=True, or a larger batch" : " or a larger batch");
}

}  // namespace

std::string idle_advice(const DeviceFacts& device, Part cause) {
  switch (cause) {
    case Part::data_loading:
      return loading_advice(device.all.host);
    case Part::synchronisation:
      return waiting_advice(device);
    case Part::launch:
      return launching_advice(device);
    default:
      return "move that work to another thread or process, or after the launches of the next step";
  }
}

}  // namespace batchscope::advice
