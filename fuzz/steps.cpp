#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "batchscope/stepfeed/step_log.hpp"
#include "batchscope/training/step_watch.hpp"

// Whatever stands in the log of a training: reading it ends in steps or an error, a step has a
// time that can be, and all of them can be judged.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace stepfeed = batchscope::stepfeed;
  namespace training = batchscope::training;
  static const int file = memfd_create("steps", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  const bool is_written = file >= 0 && ftruncate(file, 0) == 0 &&
                          pwrite(file, data, size, 0) == static_cast<ssize_t>(size);
  if (!is_written) __builtin_trap();
  const auto log = stepfeed::read_step_log(path);
  if (stepfeed::is_step_log(path) && !log) __builtin_trap();
  if (!log) return 0;
  training::StepWatch watch;
  for (const auto& step : log->steps) {
    const bool can_be = step.seconds >= 0 && step.seconds <= stepfeed::kLongestStepSeconds &&
                        (!step.loss || std::isfinite(*step.loss)) &&
                        step.loading_seconds.value_or(0) <= step.seconds;
    if (!can_be) __builtin_trap();
    watch.add(step);
  }
  static_cast<void>(watch.all());
  return 0;
}
