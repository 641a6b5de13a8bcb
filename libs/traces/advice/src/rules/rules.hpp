#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "facts/trace_facts.hpp"

namespace batchscope::advice {

using Findings = std::vector<findings::Finding>;

using Row = findings::KindRow<>;
using Prose = findings::Prose<findings::Nothing>;

// The row of a kind of finding, beside the rule that finds it.
struct Kind : Row {
  std::string_view without_torch = {};         // its fix in words of no framework
  std::optional<attribution::Part> part = {};  // of the device's time, that it speaks of
};

// In the order in which a reader is told of them.
std::vector<const Kind*> idle_kinds();
std::vector<const Kind*> unseen_kinds();
std::vector<const Kind*> copy_kinds();
std::vector<const Kind*> kernel_kinds();
std::vector<const Kind*> communication_kinds();
std::vector<const Kind*> rank_kinds();
std::vector<const Kind*> memory_kinds();
std::vector<const Kind*> recording_kinds();
std::vector<const Kind*> host_kinds();
std::vector<const Kind*> healthy_kinds();
inline constexpr std::array kAllKinds{
    idle_kinds, unseen_kinds, copy_kinds,      kernel_kinds, communication_kinds,
    rank_kinds, memory_kinds, recording_kinds, host_kinds,   healthy_kinds};
// nullptr: of no kind that is known.
const Kind* find_kind(const findings::Finding& finding);

// One device of the trace, as a rule sees it.
struct DeviceFacts {
  const TraceFacts& all;
  const attribution::DeviceTime& time;
  const KernelFacts& kernels;
  std::string name;  // "GPU 0"

  double share(int64_t ns) const;
  double share(attribution::Part part) const { return time.parts.share(part); }
};

void idle_rules(const DeviceFacts& device, Findings& into);
void kernel_rules(const DeviceFacts& device, Findings& into);
void copy_rules(const DeviceFacts& device, Findings& into);
void communication_rules(const DeviceFacts& device, Findings& into);
void memory_rules(const TraceFacts& facts, Findings& into);
void recording_rules(const TraceFacts& facts, Findings& into);

// What the recording does not show, and what the device itself holds back.
void unseen_rules(const TraceFacts& facts, Findings& into);
void unseen_rules(const DeviceFacts& device, Findings& into);
// One launch, or microseconds: no verdict.
bool is_too_little_to_judge(const DeviceFacts& device);
// Which time it is that shares are of: "382 ms, of 1 step".
std::string time_reported(const TraceFacts& facts, const attribution::DeviceTime& device);
// The steps that count: "6 steps", "4 of 6 steps".
std::string steps_reported(const attribution::Attribution& attribution);
// "step 551", "steps 551 and 553", "steps 3, 4, 5 and 17 more".
std::string step_numbers(std::vector<int64_t> steps);
// That the trace is one of a graph's capture, or holds one; empty where it holds hardly any of it,
// or that is told of a step which does not count.
std::string what_is_captured(const attribution::Attribution& attribution);
// Which time does not count and why, a sentence each; empty where all does.
std::string what_is_excluded(const attribution::Attribution& attribution);
// Why most idle time has no cause that could be mended; empty where it has.
std::string why_nothing_is_stated(const TraceFacts& facts);
// Where the device holds its own work back for more of the time than that; else empty.
std::string what_is_held(const TraceFacts& facts, double most_else);

// Of a trace that is no PyTorch's, advice in words of no framework.
void say_without_torch(const TraceFacts& facts, Findings& found);

// Of a trace without a device, and its answer.
void host_rules(const TraceFacts& facts, const attribution::HostTime& host, Findings& into);
std::string host_answer(const TraceFacts& facts, const attribution::HostTime& host,
                        const Findings& found);

// A finding of that device.
findings::Finding finding_of(const Kind& kind, const std::string& device);
// What it found, up to the first semicolon.
std::string first_sentence(const findings::Finding& finding);
// Sets the gain, from `low` to `high` of the device's time, and the severity that follows.
void set_gain(double low, double high, findings::Finding& finding);
inline constexpr double kLowGain = 0.05, kMediumGain = 0.10, kHighGain = 0.20;
findings::Severity severity_of_gain(double high);
inline constexpr Prose kByGain{
    "by the largest gain, as a share of the device's time: low from {%}, medium from {%}, high "
    "from {%}; info below",
    kLowGain, kMediumGain, kHighGain};

}  // namespace batchscope::advice
