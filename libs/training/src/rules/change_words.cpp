#include "rules/change_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/telemetry/throttle_reasons.hpp"

namespace batchscope::training {
namespace {

std::string of_gpu(const SignalChange& change) {
  return change.gpu.empty() ? "" : " of GPU " + base::visible(change.gpu);
}

std::string from_to(const SignalChange& change) {
  return fmt::format("from {} to {}", findings::percent(change.before),
                     findings::percent(change.after));
}

std::string bytes(double value) {
  return base::format_bytes(static_cast<int64_t>(value));
}

std::string words_of(const SignalChange& change) {
  switch (change.kind) {
    case SignalKind::sm_clock:
      return fmt::format("the SM clock{} fell from {:.0f} to {:.0f} MHz", of_gpu(change),
                         change.before / 1e6, change.after / 1e6);
    case SignalKind::throttled:
      return fmt::format("the clock{} was held down by {}", of_gpu(change),
                         base::visible(telemetry::throttle_reason_in_words(change.reason)));
    case SignalKind::temperature:
      return fmt::format("the temperature{} rose from {:.0f} to {:.0f} °C", of_gpu(change),
                         change.before, change.after);
    case SignalKind::power:
      return fmt::format("the power{} fell from {:.0f} to {:.0f} W", of_gpu(change), change.before,
                         change.after);
    case SignalKind::gpu_memory:
      return fmt::format("the memory in use{} grew from {} to {}", of_gpu(change),
                         bytes(change.before), bytes(change.after));
    case SignalKind::other_cpu:
      return "the share of the CPUs that other programs use rose " + from_to(change);
    case SignalKind::io_pressure:
      return "the time in which work waited for disks rose " + from_to(change);
    case SignalKind::memory_pressure:
      return "the time in which work waited for memory rose " + from_to(change);
    case SignalKind::cpu_steal:
      return "the CPU time that the hypervisor gave to others rose " + from_to(change);
    case SignalKind::cpu_quota:
      return "the share of periods in which the CPU quota stopped work rose " + from_to(change);
  }
  return "";
}

}  // namespace

std::string in_words(const std::vector<SignalChange>& changes) {
  constexpr std::size_t kMost = 2;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(kMost, changes.size()); ++i) {
    words.push_back(words_of(changes[i]));
  }
  return base::join(words, " and ");
}

std::string what_to_do(const std::vector<SignalChange>& changes) {
  if (changes.empty()) return "";
  switch (changes.front().kind) {
    case SignalKind::sm_clock:
    case SignalKind::throttled:
      return "look at the temperature, the power limit and the reasons why the clock is held down";
    case SignalKind::temperature:
      return "look at the cooling";
    case SignalKind::other_cpu:
      return "find the other programs and move them elsewhere, or pin this one to CPUs of its own";
    case SignalKind::cpu_quota:
      return "raise the CPU quota of the container, or use fewer loader workers";
    case SignalKind::cpu_steal:
      return "move to a host that is not overcommitted";
    case SignalKind::io_pressure:
      return "look at what reads or writes the disks; keep the data in memory or nearer";
    case SignalKind::memory_pressure:
      return "free memory of the machine: fewer loader workers, smaller caches";
    case SignalKind::power:
    case SignalKind::gpu_memory:
      return "";
  }
  return "";
}

}  // namespace batchscope::training
