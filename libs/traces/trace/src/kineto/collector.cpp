#include "collector.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "batchscope/trace/frames.hpp"
#include "formats/lanes.hpp"
#include "table/table_builder.hpp"

namespace batchscope::trace {
namespace {

// "stream 7" and 7 are stream 7.
int64_t trailing_number(std::string_view token) {
  token = unquoted(token);
  const size_t space = token.rfind(' ');
  if (space != std::string_view::npos) token.remove_prefix(space + 1);
  return integer_of(token).value_or(-1);
}

// Threads whose name is no number ("PyTorch Profiler", "Traces") are told apart all the same.
int64_t thread_number(std::string_view token) {
  if (const auto number = integer_of(token)) return *number;
  return -2 - static_cast<int64_t>(std::hash<std::string_view>()(unquoted(token)) >> 2U);
}

int32_t small_integer(std::string_view token) {
  const int64_t value = integer_of(token).value_or(0);
  return value > 0 && value <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(value)
                                                                   : 0;
}

// Kineto's "blocks per SM" is the grid divided by the device's multiprocessors, not how many blocks
// fit on one.
int32_t multiprocessors(const RawEvent& event, int64_t grid_blocks) {
  const auto share = number_of(event.blocks_per_sm);
  if (!share || *share <= 0 || grid_blocks <= 0) return 0;
  const double quotient = static_cast<double>(grid_blocks) / *share;
  constexpr double kMost = 1e5;
  return quotient < 0.5 || quotient > kMost ? 0 : static_cast<int32_t>(std::lround(quotient));
}

LaunchFacts launch_facts(const RawEvent& event) {
  LaunchFacts facts;
  facts.grid_blocks = extent_of(event.grid);
  const int64_t threads = extent_of(event.block);
  if (threads <= std::numeric_limits<int32_t>::max()) {
    facts.threads_per_block = static_cast<int32_t>(threads);
  }
  facts.blocks_per_multiprocessor = small_integer(event.active_blocks);
  facts.multiprocessors = multiprocessors(event, facts.grid_blocks);
  facts.registers_per_thread = small_integer(event.registers);
  const auto percent = number_of(event.occupancy);
  // Kineto writes 0 where it could not tell; a kernel that ran occupied something.
  if (percent && *percent > 0 && *percent <= 100)
    facts.occupancy = static_cast<float>(*percent / 100);
  facts.is_collective = !event.collective.empty();
  return facts;
}

// What has a stream is a device's; on the host's tracks copies wait for what their lane is called.
ActivityKind kind_without_category(const RawEvent& event) {
  if (!event.stream.empty()) return ActivityKind::kernel;
  if (!event.copy_details.empty()) return ActivityKind::memcpy;
  const bool calls = !event.correlation.empty() && names_a_call(unquoted(event.name));
  return calls ? ActivityKind::runtime : ActivityKind::range;
}

// Of XLA's copies.
int64_t bytes_of_details(std::string_view details) {
  const size_t size = details.find("size:");
  if (size == std::string_view::npos) return 0;
  const std::string_view digits = details.substr(size + 5);
  return integer_of(digits.substr(0, digits.find(' '))).value_or(0);
}

// Events of MTIA's command
// processors are kernels but for waits and what moves data ("direction").
ActivityKind kind_of(const Category& category, const RawEvent& event) {
  if (!category.kind) return kind_without_category(event);
  if (*category.kind == ActivityKind::op && names_a_call(unquoted(event.name)))
    return ActivityKind::runtime;
  if (*category.kind != ActivityKind::kernel) return *category.kind;
  if (event.cat == "\"gpu_op\"") return kind_on_stream(unquoted(event.name));
  if (event.name == "\"event_wait\"") return ActivityKind::device_wait;
  const bool moves_data = copy_facts(event.direction).direction != CopyDirection::unknown;
  return moves_data ? ActivityKind::memcpy : ActivityKind::kernel;
}

}  // namespace

std::string clean_name(std::string_view interned) {
  if (interned.find('\\') == std::string_view::npos) return std::string(interned);
  std::string quoted = "\"" + std::string(interned) + "\"";
  const auto parsed = nlohmann::json::parse(quoted, nullptr, /*allow_exceptions=*/false);
  return parsed.is_string() ? parsed.get<std::string>() : std::string(interned);
}

Chunk Collector::take(Chunk spent) {
  last_line_ = {};
  launches_.clear();
  spent.clear();
  return std::exchange(chunk_, std::move(spent));
}

void Collector::broken(std::string_view why) {
  ++chunk_.skipped;
  chunk_.problem(why);
}

void Collector::event(const RawEvent& event) {
  const std::string_view phase = unquoted(event.ph);
  if (phase == "X") {
    activity(event);
  } else if (phase == "B" || phase == "E") {
    half(event, phase == "B");
  } else if (phase == "M") {
    label(event);
  } else if (phase == "i" || phase == "I") {
    instant(event);
  } else if (phase.empty() &&
             (event.has_others || !event.name.empty() || !event.ts.empty() || !event.pid.empty())) {
    broken("an event without a phase (ph)");
  } else {
    ++chunk_.passed_over;  // {} too, which XLA's exporter writes behind its last event
  }
}

bool Collector::set_times(const RawEvent& event, Activity& activity) {
  const auto start = nanoseconds_of(event.ts);
  const auto duration = event.dur.empty() ? std::optional<int64_t>(0) : nanoseconds_of(event.dur);
  if (!start || !duration || *start < -kLatestTime || *start > kLatestTime ||
      *duration > kLatestTime || *start > kLatestTime - std::max<int64_t>(0, *duration)) {
    broken("no valid time");
    return false;
  }
  if (*duration < 0) chunk_.problem("a negative duration, taken for 0");
  activity.start_ns = *start;
  activity.duration_ns = std::max<int64_t>(0, *duration);
  return true;
}

std::optional<Activity> Collector::described(const RawEvent& event) {
  const Category& category = this->category(event.cat);
  if (category.is_known && !category.kind) {
    if (event.name == "\"PyTorch Profiler (0)\"") chunk_.is_kineto = true;
    if (event.cat == "\"cuda_profiler_range\"") ++chunk_.counter_ranges;
    ++chunk_.passed_over;
    return std::nullopt;
  }
  Activity activity;
  if (!set_times(event, activity)) return std::nullopt;
  activity.kind = kind_of(category, event);
  activity.name = name_number(event.name);
  activity.track = track_number(event, activity.kind);
  activity.detail = detail_number(event, activity.kind, activity.name);
  if (!event.correlation.empty() && activity.kind != ActivityKind::op) {
    activity.correlation = integer_of(event.correlation).value_or(-1);
  }
  return activity;
}

void Collector::activity(const RawEvent& event) {
  const auto activity = described(event);
  if (!activity) return;
  chunk_.activities.add(*activity);
  if (!event.call_stack.empty()) line_of(event, *activity);
}

// As Python functions that are events: it stands within what it called. Of an operator within one
// of the same line nothing is new.
void Collector::line_of(const RawEvent& event, Activity activity) {
  const std::string_view frame = telling_frame(unquoted(event.call_stack));
  if (frame.empty()) return;
  activity.name = numbering_.names.number_of(frame.substr(0, kLongestName));
  const bool is_within = activity.name == last_line_.name && activity.track == last_line_.track &&
                         activity.start_ns >= last_line_.start_ns &&
                         activity.end_ns() <= last_line_.end_ns();
  if (is_within) return;
  activity.kind = ActivityKind::python;
  activity.detail = kNone;
  activity.correlation = -1;
  chunk_.activities.add(activity);
  last_line_ = activity;
}

void Collector::half(const RawEvent& event, bool is_begin) {
  Half half{{}, thread_number(event.pid), thread_number(event.tid), is_begin};
  if (is_begin) {
    const auto activity = described(event);
    if (!activity) return;
    half.activity = *activity;
    half.activity.duration_ns = 0;
  } else if (!set_times(event, half.activity)) {
    return;
  }
  chunk_.halves.push_back(half);
}

void Collector::instant(const RawEvent& event) {
  const auto time = nanoseconds_of(event.ts);
  const auto bytes = integer_of(event.bytes);
  if (event.name != "\"[memory]\"" || !time || !bytes) {
    ++chunk_.passed_over;
    return;
  }
  MemoryEvent memory;
  memory.time_ns = *time;
  memory.bytes = *bytes;
  memory.address = static_cast<uint64_t>(integer_of(event.address).value_or(0));
  const bool on_host = integer_of(event.device_type).value_or(1) == 0;
  memory.device = on_host ? -1 : integer_of(event.device_id).value_or(0);
  memory.total_allocated_bytes = integer_of(event.total_allocated).value_or(0);
  memory.total_reserved_bytes = integer_of(event.total_reserved).value_or(0);
  memory.thread = thread_number(event.tid);
  chunk_.memory.push_back(memory);
}

void Collector::label(const RawEvent& event) {
  ++chunk_.passed_over;
  const bool is_process = event.name == "\"process_name\"";
  if (event.name != "\"thread_name\"" && !is_process) return;
  chunk_.labels.push_back({thread_number(event.pid),
                           is_process ? kEntireProcess : thread_number(event.tid),
                           clean_name(unquoted(event.label).substr(0, kLongestName))});
}

const Category& Collector::category(std::string_view token) {
  for (const auto& [known, category] : categories_) {
    if (known == token) return category;
  }
  const std::string_view first = unquoted(token);
  const Category found = category_of(first.substr(0, first.find(',')));
  for (const auto& [name, recorder] : telling_names()) {
    if (name == first) numbering_.recorder = recorder;
  }
  static const Category unknown{ActivityKind::range, false};
  constexpr size_t kMost = 256;
  if (categories_.size() == kMost) return unknown;
  return categories_.emplace_back(token, found).second;
}

uint32_t Collector::name_number(std::string_view token) {
  return numbering_.names.number_of(unquoted(token).substr(0, kLongestName));
}

// Its name and the numbers of its ranks, as far as they are said; those of all may be "[]".
uint32_t Collector::group_number(const RawEvent& event) {
  std::string group(unquoted(event.group_name));
  const std::string_view ranks = unquoted(event.group_ranks);
  if (ranks != "[]") group.append(ranks);
  if (group.empty()) return kNone;
  return numbering_.names.number_of(std::string_view(group).substr(0, kLongestName));
}

uint32_t Collector::host_track(const RawEvent& event) {
  if (last_track_ == kNone || event.tid != last_tid_ || event.pid != last_pid_) {
    last_pid_ = event.pid;
    last_tid_ = event.tid;
    last_track_ = numbering_.host_track(thread_number(event.pid), thread_number(event.tid));
  }
  return last_track_;
}

uint32_t Collector::track_number(const RawEvent& event, ActivityKind kind) {
  if (on_host(kind) || !event.copy_details.empty()) return host_track(event);
  const auto device = integer_of(event.device.empty() ? event.pid : event.device);
  const auto stream = integer_of(event.stream);
  return numbering_.device_track(0, std::clamp<int64_t>(device.value_or(0), 0, int64_t{1} << 40),
                                 stream ? *stream : trailing_number(event.tid));
}

uint32_t Collector::detail_number(const RawEvent& event, ActivityKind kind, uint32_t name) {
  if (kind == ActivityKind::kernel) {
    LaunchFacts facts = launch_facts(event);
    facts.group = group_number(event);
    const auto next = static_cast<uint32_t>(chunk_.launches.size());
    uint32_t& last = launches_.try_emplace(name, next).first->second;
    if (last != next && chunk_.launches[last] == facts) return last;
    chunk_.launches.push_back(facts);
    return last = next;
  }
  if (kind == ActivityKind::memcpy || kind == ActivityKind::memset) {
    std::string stated(event.direction.empty() ? event.name : event.direction);
    CopyFacts facts = copy_facts(stated.append(event.copy_details));
    const auto bytes = integer_of(event.bytes.empty() ? event.size : event.bytes);
    facts.bytes = std::max<int64_t>(0, bytes.value_or(bytes_of_details(event.copy_details)));
    chunk_.copies.push_back(facts);
    return static_cast<uint32_t>(chunk_.copies.size() - 1);
  }
  if (kind == ActivityKind::op && event.input_types.size() > 2) {
    return numbering_.names.number_of(event.input_types.substr(0, kLongestName));
  }
  return kNone;
}

}  // namespace batchscope::trace
