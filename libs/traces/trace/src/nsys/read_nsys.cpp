#include "read_nsys.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "event_table.hpp"
#include "events.hpp"
#include "parallel/threads_to_use.hpp"
#include "table/table_builder.hpp"

namespace batchscope::trace {
namespace {

// Of META_DATA_EXPORT, which has the words that the exporter was called with too; empty: not said.
std::string setting(SqliteReading& reading, std::string_view name) {
  constexpr std::array<std::string_view, 2> kColumns{"name", "value"};
  Table table(reading, "META_DATA_EXPORT", kColumns, kColumns.size());
  while (table.step()) {
    if (table.row().text(0) == name) return std::string(table.row().text(1));
  }
  return {};
}

// "Nsight Systems 2026.2.1.210"; without a version where the export has none.
std::string recorder_of(SqliteReading& reading) {
  constexpr size_t kLongest = 32;
  const std::string version = setting(reading, "EXPORT_PRODUCT_VERSION");
  const bool is_version =
      version.size() <= kLongest && version.find_first_not_of(".0123456789") == std::string::npos;
  return version.empty() || !is_version ? "Nsight Systems" : "Nsight Systems " + version;
}

// What is added to the times of the export for nanoseconds since 1970; 0: not known, or nothing.
int64_t base_time_of(SqliteReading& reading) {
  // It was told to count from 1970.
  if (setting(reading, "EXPORT_PARAM_TIME_NORMALIZE") == "true") return 0;
  constexpr std::array<std::string_view, 2> kColumns{"utcEpochNs", "systemClockNs"};
  Table table(reading, "TARGET_INFO_SESSION_START_TIME", kColumns, 1);
  if (!table.step()) return 0;
  // Times count from the start of the session, or since some version from that of the system.
  int64_t base = 0;
  const bool fits =
      !__builtin_sub_overflow(table.row().integer_or(0, 0), table.row().integer_or(1, 0), &base);
  return fits && base > 0 ? base : 0;
}

// Names of threads, as labels.
void read_thread_names(SqliteReading& reading) {
  constexpr std::array<std::string_view, 2> kColumns{"globalTid", "nameId"};
  constexpr size_t kMost = 1'000'000;
  Table table(reading, "ThreadNames", kColumns, kColumns.size());
  while (reading.chunk().labels.size() < kMost && table.step()) {
    const auto thread = table.row().integer(0);
    const auto name = table.row().integer(1);
    if (!thread || !name) continue;
    const uint32_t number = reading.names().number_of(*name, reading.chunk());
    const GlobalId id = global_id_of(*thread);
    reading.chunk().labels.push_back(
        {id.process, id.thread, readable_name(reading.numbering().names.texts()[number])});
  }
}

base::Error no_export(const std::filesystem::path& path, std::string what) {
  return {base::ErrorKind::input, std::move(what), path.string(),
          "give a file from `nsys export --type sqlite` of a recording with CUDA traced"};
}

// What stands beside the events, read before them.
struct ExportInfo {
  explicit ExportInfo(SqliteReading& reading)
      : enums(reading),
        devices(reading),
        recorder(recorder_of(reading)),
        base_time_ns(base_time_of(reading)) {
    read_thread_names(reading);
  }

  Enums enums;
  Devices devices;
  std::string recorder;
  int64_t base_time_ns;
};

// Tables that one thread reads; the large ones first, so that no thread is left with one alone.
using Job = void (*)(SqliteReading&, const ExportInfo&);
constexpr std::array<Job, 5> kJobs{
    [](SqliteReading& reading, const ExportInfo& facts) { read_kernels(reading, facts.devices); },
    [](SqliteReading& reading, const ExportInfo&) { read_calls(reading); },
    [](SqliteReading& reading, const ExportInfo& facts) { read_ranges(reading, facts.enums); },
    [](SqliteReading& reading, const ExportInfo&) { read_system_calls(reading); },
    [](SqliteReading& reading, const ExportInfo& facts) {
      read_copies(reading, facts.devices, facts.enums);
      read_memsets(reading, facts.devices, facts.enums);
      read_graphs(reading, facts.devices);
      read_waits(reading, facts.devices, facts.enums);
      read_library_calls(reading);
      read_overheads(reading, facts.enums);
    },
};

class NsysReading {
 public:
  NsysReading(const std::filesystem::path& path, const ReadOptions& options)
      : path_(path), options_(options), activities_left_(options.most_activities) {
    for (size_t i = 0; i < kJobs.size(); ++i) numberings_.emplace_back();
  }

  base::Result<Trace> run() {
    auto file = SqliteFile::open(path_);
    if (!file) return std::move(file).error();
    if (file->bytes() > options_.most_bytes) return no_export(path_, "is too large");
    if (kind_of(*file, "StringIds") != TableKind::plain) {
      return no_export(path_, "is an SQLite file, but not an export of Nsight Systems");
    }
    Trace trace;
    trace.source = path_.string();
    trace.read.bytes = file->bytes();
    read_facts(*file, trace);
    read_events();
    assemble_into(trace);
    if (trace.activities.empty()) return no_export(path_, why_empty(trace.read));
    return trace;
  }

 private:
  struct Part {
    std::vector<Chunk> chunks;
    bool is_truncated = false;
  };

  void read_facts(SqliteFile& file, Trace& trace) {
    Numbering unused;  // no event has these names
    SqliteReading reading(file, unused, activities_left_);
    if (file.has_journal())
      reading.lose("a journal lies next to the file, so the file is not finished");
    facts_.emplace(reading);
    trace.read.profiler = facts_->recorder;
    trace.base_time_ns = facts_->base_time_ns;
    trace.devices = facts_->devices.infos();
    about_ = {reading.take(), reading.is_truncated()};
  }

  void read_events() {
    const size_t most =
        std::min(kJobs.size(), static_cast<size_t>(threads_to_use(options_.threads)));
    std::vector<std::thread> threads;
    for (size_t i = 1; i < most; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void work() {
    std::optional<SqliteFile> file;
    for (size_t job = next_job_++; job < kJobs.size(); job = next_job_++) {
      if (!file) {
        auto opened = SqliteFile::open(path_);
        if (!opened) {
          parts_[job].chunks.emplace_back().problem("cannot open the file again");
          parts_[job].is_truncated = true;
          continue;
        }
        file.emplace(std::move(*opened));
      }
      SqliteReading reading(*file, numberings_[job], activities_left_);
      kJobs[job](reading, *facts_);
      parts_[job] = {reading.take(), reading.is_truncated()};
    }
  }

  void assemble_into(Trace& trace) {
    TableBuilder table(readable_name);
    const auto add = [&](Part& part, Numbering& numbering) {
      trace.read.truncated = trace.read.truncated || part.is_truncated;
      for (Chunk& each : part.chunks) {
        Chunk chunk = std::exchange(each, {});
        table.renumber(numbering, chunk);
        table.add(chunk);
      }
    };
    for (size_t job = 0; job < kJobs.size(); ++job) add(parts_[job], numberings_[job]);
    add(about_, numberings_.front());
    table.finish(threads_to_use(options_.threads), trace);
  }

  static std::string why_empty(const ReadSummary& read) {
    std::string why = "contains no readable event";
    const char* separator = ": ";
    for (const auto& [what, times] : read.problems) why += std::exchange(separator, "; ") + what;
    return why;
  }

  const std::filesystem::path& path_;
  const ReadOptions& options_;
  std::atomic<int64_t> activities_left_;
  std::atomic<size_t> next_job_ = 0;
  std::optional<ExportInfo> facts_;
  Part about_;
  std::array<Part, kJobs.size()> parts_;
  std::deque<Numbering> numberings_;  // one a job
};

}  // namespace

base::Result<Trace> read_nsys(const std::filesystem::path& file, const ReadOptions& options) {
  return NsysReading(file, options).run();
}

}  // namespace batchscope::trace
