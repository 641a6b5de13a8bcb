#include "read_rocprof.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "formats/rocprof.hpp"
#include "kineto/categories.hpp"
#include "parallel/threads_to_use.hpp"
#include "table/table_builder.hpp"

namespace batchscope::trace {
namespace {

constexpr ActivityKind kRecordKinds[] = {ActivityKind::kernel, ActivityKind::memcpy,
                                         ActivityKind::runtime, ActivityKind::range};

// What records refer to may stand behind them: names and tracks are numbered by what they refer to,
// and put in their place at the end.
class RocprofReading {
 public:
  explicit RocprofReading(const ReadOptions& options) : options_(options) {}

  base::Result<Trace> run(bytes::ByteSource& bytes, std::string source) {
    const bool full = walk_rocprof(
        [&](std::span<char> room) {
          const size_t got = read_bytes_ < options_.most_bytes ? bytes.read(room) : 0;
          read_bytes_ += static_cast<int64_t>(got);
          return got;
        },
        [&](const RocprofRecord& record) { return take(record); }, names_);
    if (chunk_.activities.empty()) {
      return base::Error{base::ErrorKind::input, "contains no kernel, no copy and no call",
                         std::move(source),
                         "rocprofv3 --sys-trace --output-format json -- PROGRAM"};
    }
    settle();
    TableBuilder table([](std::string_view name) { return std::string(name); });
    table.renumber(numbering_, chunk_);
    table.add(chunk_);
    Trace trace;
    trace.source = std::move(source);
    table.finish(threads_to_use(options_.threads), trace);
    describe(full && bytes.damage().empty(), trace);
    return trace;
  }

 private:
  bool take(const RocprofRecord& record) {
    const bool has_times =
        record.start_ns >= 0 && record.end_ns >= record.start_ns && record.end_ns <= kLatestTime;
    if (!has_times) {
      ++chunk_.skipped;
      chunk_.problem("no valid time");
      return true;
    }
    Activity activity;
    activity.start_ns = record.start_ns;
    activity.duration_ns = record.end_ns - record.start_ns;
    activity.kind = kRecordKinds[static_cast<size_t>(record.table)];
    if (record.table != RecordTable::marker) activity.correlation = record.correlation;
    const int64_t named = record.table == RecordTable::kernel   ? record.kernel
                          : record.table == RecordTable::marker ? record.correlation
                                                                : record.operation;
    activity.name = number(names_of_, std::tuple(record.table, record.kind, named), record);
    const bool on_host = trace::on_host(activity.kind);
    activity.track =
        number(tracks_of_,
               on_host ? std::tuple(uint64_t{0}, static_cast<uint64_t>(record.process),
                                    static_cast<uint64_t>(record.thread), true)
                       : std::tuple(record.agent, record.source_agent, record.queue, false),
               record);
    activity.detail = detail_of(record);
    chunk_.activities.add(activity);
    return static_cast<int64_t>(chunk_.activities.size()) < options_.most_activities;
  }

  // The number of the key, with the record that it came first in.
  template <class Key>
  static uint32_t number(std::map<Key, std::pair<uint32_t, RocprofRecord>>& known, const Key& key,
                         const RocprofRecord& record) {
    const auto next = static_cast<uint32_t>(known.size());
    return known.try_emplace(key, next, record).first->second.first;
  }

  uint32_t detail_of(const RocprofRecord& record) {
    if (record.table == RecordTable::kernel) {
      LaunchFacts facts;
      if (record.group_items > 0) facts.grid_blocks = record.work_items / record.group_items;
      if (record.group_items <= std::numeric_limits<int32_t>::max()) {
        facts.threads_per_block = static_cast<int32_t>(record.group_items);
      }
      chunk_.launches.push_back(facts);
      return static_cast<uint32_t>(chunk_.launches.size() - 1);
    }
    if (record.table != RecordTable::copy) return kNone;
    CopyFacts facts;
    facts.bytes = std::max<int64_t>(0, record.bytes);
    chunk_.copies.push_back(facts);
    return static_cast<uint32_t>(chunk_.copies.size() - 1);
  }

  // A copy is its destination's, if that is a GPU.
  const RocprofAgent* device_of(const RocprofRecord& record) const {
    const RocprofAgent* const agent = names_.agent(record.agent);
    if (record.table != RecordTable::copy || (agent != nullptr && agent->is_gpu)) return agent;
    return names_.agent(record.source_agent);
  }

  uint32_t track_of(const RocprofRecord& record) {
    if (record.table == RecordTable::call || record.table == RecordTable::marker) {
      return numbering_.host_track(record.process, record.thread);
    }
    const RocprofAgent* const agent = device_of(record);
    const auto queue = static_cast<int64_t>(record.queue & INT64_MAX);
    return numbering_.device_track(0, agent != nullptr ? agent->number : 0, queue);
  }

  void settle() {
    std::vector<uint32_t> names(names_of_.size());
    for (const auto& [key, known] : names_of_) {
      names[known.first] = numbering_.names.number_of(names_.name_of(known.second));
    }
    std::vector<uint32_t> tracks(tracks_of_.size());
    for (const auto& [key, known] : tracks_of_) tracks[known.first] = track_of(known.second);
    ActivityTable& rows = chunk_.activities;
    for (size_t row = 0; row < rows.size(); ++row) {
      rows.name[row] = names[rows.name[row]];
      rows.track[row] = tracks[rows.track[row]];
      if (rows.kind[row] != ActivityKind::memcpy) continue;
      CopyFacts& facts = chunk_.copies[rows.detail[row]];
      const CopyFacts stated = copy_facts(numbering_.names.texts()[rows.name[row]]);
      facts.direction = stated.direction;
      facts.host_memory = stated.host_memory;
    }
  }

  void describe(bool full, Trace& trace) const {
    for (const RocprofAgent& agent : names_.agents) {
      if (!agent.is_gpu) continue;
      DeviceInfo device{agent.number, agent.name};
      device.multiprocessors =
          static_cast<int>(std::clamp<int64_t>(agent.compute_units, 0, 65'536));
      trace.devices.push_back(std::move(device));
    }
    trace.read.profiler = "rocprofv3";
    trace.read.bytes = read_bytes_;
    trace.read.truncated = !full;
  }

  const ReadOptions& options_;
  RocprofNames names_;
  Numbering numbering_;
  Chunk chunk_;
  int64_t read_bytes_ = 0;
  std::map<std::tuple<RecordTable, int64_t, int64_t>, std::pair<uint32_t, RocprofRecord>> names_of_;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, bool>, std::pair<uint32_t, RocprofRecord>>
      tracks_of_;
};

}  // namespace

base::Result<Trace> read_rocprof(bytes::ByteSource& bytes, std::string source,
                                 const ReadOptions& options) {
  return RocprofReading(options).run(bytes, std::move(source));
}

}  // namespace batchscope::trace
