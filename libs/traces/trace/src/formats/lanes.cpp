#include "lanes.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::trace {
namespace {

using base::contains_any_text;

constexpr std::string_view kXla = "XLA (JAX, TensorFlow)";
constexpr std::string_view kAscend = "Ascend PyTorch Profiler";
constexpr std::string_view kRocprof = "rocprof";

struct Row {
  std::string_view recorder;
  std::string_view process;  // its name begins so, behind the host's or job's where those are said
  std::string_view thread;   // its name begins so
  LaneContent content;
};

// The formats: the first row that fits counts.
constexpr std::array<Row, 18> kRows{{
    {kXla, "/device:CUSTOM:", "", LaneContent::ranges},
    {kXla, "/device:", "Stream #", LaneContent::stream},
    {kXla, "/device:", "stream:", LaneContent::stream},
    {kXla, "/device:", "XLA Ops", LaneContent::operations},
    {kXla, "/device:", "Steps", LaneContent::steps},
    {kXla, "/device:", "", LaneContent::ranges},
    {kXla, "/host:", "", LaneContent::host},
    {kAscend, "Ascend Hardware", "", LaneContent::stream},
    {kAscend, "Overlap Analysis", "", LaneContent::ranges},
    {kAscend, "HCCL", "Plane", LaneContent::ranges},
    {kAscend, "HCCL", "", LaneContent::again},
    {kAscend, "Communication", "Plane", LaneContent::ranges},
    {kAscend, "Communication", "Group", LaneContent::again},
    {kAscend, "CANN", "", LaneContent::calls},
    {kRocprof, "CPU HIP API", "", LaneContent::calls},
    {kRocprof, "CPU HSA API", "", LaneContent::calls},
    {kRocprof, "COPY", "", LaneContent::stream},
    {kRocprof, "GPU", "", LaneContent::stream},
}};

constexpr std::array<TellingName, 5> kTelling{{
    {"gpu_op", "unitrace (Intel)"},  // a category
    {"session_initialization", "ONNX Runtime"},
    {"model_loading_uri", "ONNX Runtime"},
    {"model_loading_array", "ONNX Runtime"},
    {"SequentialExecutor::Execute", "ONNX Runtime"},
}};

// The first number behind that place; -1: none stands there.
int64_t number_from(std::string_view text, size_t at) {
  const size_t first = text.find_first_of("0123456789", at);
  if (first == std::string_view::npos) return -1;
  const size_t last = std::min(text.find_first_not_of("0123456789", first), text.size());
  return base::parse_number<int64_t>(text.substr(first, last - first)).value_or(-1);
}

// Where the row's name begins in the process's; npos: it does not.
size_t place_of(const Row& row, std::string_view process) {
  if (row.recorder != kXla) return process.starts_with(row.process) ? 0 : std::string_view::npos;
  return process.find(row.process);
}

// "GPU0" is a device, "GPU 0 of somebody" a name that somebody gave.
bool fits(const Row& row, std::string_view process, std::string_view thread) {
  if (place_of(row, process) == std::string_view::npos || !thread.starts_with(row.thread)) {
    return false;
  }
  return row.process != "GPU" ||
         (process.size() > 3 &&
          process.find_first_not_of("0123456789", 3) == std::string_view::npos);
}

}  // namespace

std::optional<Lane> lane_of(std::string_view process, std::string_view thread) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const Row& each) { return fits(each, process, thread); });
  if (row == kRows.end()) return std::nullopt;
  Lane lane{row->content, row->recorder, -1, -1};
  lane.device = number_from(process, place_of(*row, process) + row->process.size());
  lane.stream = number_from(thread, row->thread.size());
  return lane;
}

StreamEvent stream_event(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kCopies{
      "Memcpy", "MEMCPY", "MemoryCopy", "memcpy", "MEMORY_COPY", "CopyHostToDevice"};
  static constexpr std::array<std::string_view, 6> kFills{"Memset",     "MEMSET", "MemZero",
                                                          "MemoryFill", "memset", "FillBuffer"};
  static constexpr std::array<std::string_view, 4> kWaits{"EVENT_WAIT", "Notify_Wait",
                                                          "NOTIFY_WAIT", "EventWait"};
  // Of kernels that copy, templates hold such words: those have brackets.
  const std::string_view plain = name.substr(0, name.find('<'));
  if (contains_any_text(plain, kWaits)) return StreamEvent::wait;
  if (contains_any_text(plain, kFills)) return StreamEvent::fill;
  return contains_any_text(plain, kCopies) ? StreamEvent::copy : StreamEvent::kernel;
}

bool names_a_call(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kRuntimes{"cuda", "cu", "hip", "ze", "cl"};
  return std::any_of(kRuntimes.begin(), kRuntimes.end(), [&](std::string_view start) {
    if (!name.starts_with(start) || name.size() == start.size()) return false;
    const char next = name[start.size()];
    return next >= 'A' && next <= 'Z';
  });
}

std::span<const TellingName> telling_names() {
  return kTelling;
}

}  // namespace batchscope::trace
