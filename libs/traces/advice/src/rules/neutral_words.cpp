#include <algorithm>
#include <array>
#include <utility>

#include "batchscope/base/strings.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using Advice = std::pair<std::string_view, std::string_view>;

constexpr std::array<Advice, 14> kNeutral{{
    {"trace.data-loading", "load ahead in other threads or processes, several batches at a time"},
    {"trace.synchronisation",
     "take out of the loop what waits for the device, or read results a step later"},
    {"trace.launch-bound",
     "compile what is launched one by one into one program, or use a larger "
     "batch"},
    {"trace.pageable-copies",
     "copy from and to pinned memory, ahead of the step that needs it, and copy less"},
    {"trace.device-copies",
     "do not make the copies: write results where they are needed, or let "
     "the compiler fuse them"},
    {"trace.exposed-copies",
     "copy the next batch while this one is computed, copy less, or keep the data on the device"},
    {"trace.exposed-communication",
     "overlap it with computing, send numbers of fewer digits, and give the traces of all ranks "
     "to find stragglers"},
    {"trace.full-precision", "compute products and convolutions in bfloat16"},
    {"trace.frequent-kernel", "fuse it with its neighbours: compile the whole step"},
    {"trace.warm-up",
     "record later, when everything is compiled; where it happens in every step, "
     "keep shapes the same"},
    {"trace.allocator", "ask for memory once, before the loop"},
    {"trace.no-device", "record the device too"},
    {"trace.lost-work",
     "wait for the device before the profiler stops, and record fewer steps at "
     "a time"},
    {"trace.recorder", "record fewer steps at a time, and less beside times"},
}};

bool is_of_another_framework(const Facts& facts) {
  return facts.trace.read.profiler.starts_with("XLA");
}

bool speaks_of_torch(std::string_view fix) {
  constexpr std::array<std::string_view, 7> kWords{"torch",   "DataLoader", "DDP", "non_blocking",
                                                   ".item()", "profile(",   "bf16"};
  return base::contains_any_text(fix, kWords);
}

}  // namespace

void say_without_torch(const Facts& facts, Findings& found) {
  if (!is_of_another_framework(facts)) return;
  for (findings::Finding& finding : found) {
    const auto advice = std::find_if(kNeutral.begin(), kNeutral.end(),
                                     [&](const Advice& each) { return each.first == finding.id; });
    if (advice != kNeutral.end() && speaks_of_torch(finding.fix)) finding.fix = advice->second;
  }
}

}  // namespace batchscope::advice
