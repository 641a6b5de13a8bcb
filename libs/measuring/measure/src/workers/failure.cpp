#include "failure.hpp"

#include <fmt/format.h>

#include <csignal>

#include "batchscope/base/memory_words.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/device_name.hpp"

namespace batchscope::measure {
namespace {

constexpr char kMemoryFix[] = "try smaller batch sizes, or raise --memory-limit";
// No limit is held there.
constexpr char kDeviceMemoryFix[] =
    "try smaller batch sizes, or stop other programs that use the device's memory";
constexpr char kPerhapsMemoryFix[] = "try a smaller batch size: if it runs, memory was the cause";

// The last lines of what a program wrote are those that say why it ended.
std::string_view last_words(std::string_view tail) {
  constexpr size_t kMost = 600;
  std::string_view words = base::trim(tail);
  if (words.size() > kMost) {
    words.remove_prefix(words.size() - kMost);
    words.remove_prefix(std::min(words.find('\n') + 1, words.size()));
  }
  return words;
}

}  // namespace

schema::Event event_of(const base::Error& reported, std::string_view device) {
  schema::Event event;
  const base::Error error = base::judge_memory(reported);
  const bool memory = error.kind == base::ErrorKind::out_of_memory;
  event.kind = memory ? schema::EventKind::out_of_memory : schema::EventKind::error;
  event.what = base::in_one_line(error.where, error.what);
  event.fix = error.fix;
  if (event.fix.empty() && memory) {
    event.fix = schema::is_accelerator(device) ? kDeviceMemoryFix : kMemoryFix;
  }
  if (event.fix.empty() && base::is_perhaps_memory(event.what)) event.fix = kPerhapsMemoryFix;
  return event;
}

schema::Event event_of(const WorkerEnd& end) {
  schema::Event event;
  if (end.oom_killed) {
    event.kind = schema::EventKind::out_of_memory;
    event.what = "the worker exceeded its memory limit";
    event.fix = kMemoryFix;
    return event;
  }
  if (end.foreign) {
    event.kind = schema::EventKind::crash;
    event.what = "the model wrote into the worker's connection (" + *end.foreign + ")";
    event.fix = "write only into file descriptors that the model opened, or 1 and 2";
    return event;
  }
  if (end.exit.keeper_signal != 0) {
    event.kind = schema::EventKind::crash;
    event.what = fmt::format(
        "{} ended the worker's supervisor: detached processes of the model may still run",
        base::signal_name(end.exit.keeper_signal));
    event.fix = "send signals only to processes that the model started";
    return event;
  }
  if (end.overdue) {
    event.kind = schema::EventKind::timeout;
    event.what = fmt::format("the visit did not end within {}",
                             base::format_duration(base::Nanoseconds(end.timeout_ns)));
    event.fix = "if it is only slow, raise --timeout";
  } else {
    event.kind = schema::EventKind::crash;
    event.what =
        end.exit.signal != 0
            ? fmt::format("{} ended the worker", base::signal_name(end.exit.signal))
            : fmt::format("the worker exited with code {} without an answer", end.exit.exit_code);
    event.fix = end.exit.signal == SIGKILL
                    ? "if the machine ran out of memory (see dmesg), try smaller batch sizes"
                    : "run this configuration alone, and attach a debugger to its worker";
  }
  const std::string_view words = last_words(end.output_tail);
  if (words.empty()) return event;
  event.what += fmt::format("; its last output: {}", words);
  if (end.overdue) return event;
  // A library that aborts has said why: "terminate called after throwing 'std::bad_alloc'".
  auto judged = event_of(base::Error{base::ErrorKind::failed, event.what, "", ""}, "cpu");
  if (judged.kind == schema::EventKind::out_of_memory) return judged;
  event.what = std::move(judged.what);
  return event;
}

}  // namespace batchscope::measure
