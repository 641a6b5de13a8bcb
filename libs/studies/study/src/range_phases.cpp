#include "batchscope/study/range_phases.hpp"

#include <string_view>

#include "batchscope/schema/phases.hpp"

namespace batchscope::study {
namespace {

constexpr std::string_view kPrepareInside = "preparation";

}  // namespace

bool RangePhases::take(ranges::Profiler& profiler) {
  const bool all_ended = profiler.open_ranges() == 0;
  profiler.take(taken_);
  return all_ended;
}

void RangePhases::tell(const ranges::Profiler& profiler, engine::PhaseSink& sink) {
  const int own = profiler.this_thread();
  for (const ranges::RangeRecord& range : taken_) {
    if (range.thread != own || range.parent) continue;
    const std::string& name = *names_.insert(range.name).first;
    sink.phase(name == schema::phases::kPrepare ? kPrepareInside : std::string_view(name),
               range.end_ns - range.begin_ns, range.device_ns);
  }
}

}  // namespace batchscope::study
