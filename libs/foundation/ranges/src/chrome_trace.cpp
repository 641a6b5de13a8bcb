#include "batchscope/ranges/chrome_trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "family.hpp"

namespace batchscope::ranges {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcess = 1;

class TraceWriter {
 public:
  explicit TraceWriter(const Recording& recording) : recording_(recording), family_(recording) {
    if (recording.ranges.empty()) return;
    start_ns_ = std::min_element(recording.ranges.begin(), recording.ranges.end(),
                                 [](const RangeRecord& a, const RangeRecord& b) {
                                   return a.begin_ns < b.begin_ns;
                                 })
                    ->begin_ns;
  }

  std::string write() {
    name_threads();
    std::vector<std::optional<std::size_t>> shown(recording_.ranges.size());
    for (const std::size_t i : family_.in_order()) {
      const auto around = family_.around(i);
      // The innermost range around it that stands on the thread's track.
      const std::optional<std::size_t> track = around ? shown[*around] : std::nullopt;
      const RangeRecord& range = recording_.ranges[i];
      const bool fits = !track || lies_within(range, recording_.ranges[*track]);
      const bool synchronous = fits && !range.moved;
      synchronous ? put_complete(range) : put_asynchronous(range);
      shown[i] = synchronous ? std::optional(i) : track;
      put_memory(range);
    }
    Json trace = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}};
    return trace.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  static bool lies_within(const RangeRecord& inner, const RangeRecord& outer) {
    return inner.begin_ns >= outer.begin_ns && inner.end_ns <= outer.end_ns;
  }

  int64_t thread_of(const RangeRecord& range) const {
    const auto found =
        std::find_if(recording_.threads.begin(), recording_.threads.end(),
                     [&](const RecordedThread& thread) { return thread.number == range.thread; });
    return found == recording_.threads.end() ? range.thread : found->system_id;
  }

  double microseconds(int64_t ns) const { return static_cast<double>(ns - start_ns_) / 1000.0; }

  void name_threads() {
    for (const RecordedThread& thread : recording_.threads) {
      events_.push_back({{"ph", "M"},
                         {"name", "thread_name"},
                         {"pid", kProcess},
                         {"tid", thread.system_id},
                         {"args", {{"name", "thread " + std::to_string(thread.number)}}}});
    }
  }

  Json event(const RangeRecord& range, const char* kind, int64_t at_ns) const {
    return {{"ph", kind},      {"name", range.name},      {"cat", "range"},
            {"pid", kProcess}, {"tid", thread_of(range)}, {"ts", microseconds(at_ns)}};
  }

  static Json arguments(const RangeRecord& range) {
    Json arguments = Json::object();
    if (range.open) arguments["still_open"] = true;
    if (range.moved) arguments["ended_on_another_thread"] = true;
    if (range.device_ns) arguments["device_us"] = static_cast<double>(*range.device_ns) / 1000.0;
    if (range.memory && range.memory->peak_bytes) {
      arguments["process_peak_bytes"] = *range.memory->peak_bytes;
    }
    return arguments;
  }

  void put_complete(const RangeRecord& range) {
    Json complete = event(range, "X", range.begin_ns);
    complete["dur"] = static_cast<double>(range.end_ns - range.begin_ns) / 1000.0;
    if (Json words = arguments(range); !words.empty()) complete["args"] = std::move(words);
    events_.push_back(std::move(complete));
  }

  void put_asynchronous(const RangeRecord& range) {
    const std::string id = std::to_string(range.thread) + "." + std::to_string(range.number);
    Json begin = event(range, "b", range.begin_ns);
    begin["id"] = id;
    if (Json words = arguments(range); !words.empty()) begin["args"] = std::move(words);
    Json end = event(range, "e", range.end_ns);
    end["id"] = id;
    events_.push_back(std::move(begin));
    events_.push_back(std::move(end));
  }

  void put_memory(const RangeRecord& range) {
    if (!range.memory) return;
    const auto put = [&](int64_t at_ns, std::optional<int64_t> bytes) {
      if (!bytes) return;
      events_.push_back({{"ph", "C"},
                         {"name", "resident memory"},
                         {"pid", kProcess},
                         {"ts", microseconds(at_ns)},
                         {"args", {{"bytes", *bytes}}}});
    };
    put(range.begin_ns, range.memory->before_bytes);
    put(range.end_ns, range.memory->after_bytes);
  }

  const Recording& recording_;
  const Family family_;
  int64_t start_ns_ = 0;
  Json events_ = Json::array();
};

}  // namespace

std::string chrome_trace(const Recording& recording) {
  return TraceWriter(recording).write();
}

}  // namespace batchscope::ranges
