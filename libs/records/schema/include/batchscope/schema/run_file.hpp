#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/kinds.hpp"
#include "batchscope/schema/machine.hpp"
#include "batchscope/schema/model_info.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/outputs.hpp"
#include "batchscope/schema/probe.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/search_settings.hpp"
#include "batchscope/schema/visit.hpp"

// Read first: RunFile, at the end, is a whole run; the lines of its file are the structs before it.
namespace batchscope::schema {

inline constexpr int kSchemaVersion = 1;

// What a plan may ask for, at most: blocks, and seconds of any of its times (30 years).
inline constexpr int kMostBlocks = 100'000;
inline constexpr double kMostSeconds = 1e9;

// What has a process of its own: each visit of a configuration, each block, nothing; `unknown` of
// an imported table.
enum class Isolation { config, block, none, unknown, other };
std::string_view to_string(Isolation isolation);
// When the device is waited for: after each iteration, or at the end of a series.
enum class Sync { each, end, other };
std::string_view to_string(Sync sync);

// Whether a part of a run is made where it is needed.
enum class Automatic { off, automatic, other };
std::string_view to_string(Automatic setting);

// How the run was to be measured; a resumed run takes the same. Ratios are plain: 0.02 is 2 %.
struct MeasurementPlan {
  OpenEnum<Isolation> isolation = Isolation::config;
  OpenEnum<Sync> sync = Sync::each;
  int blocks = 12;  // the pilot, or exactly that many when `blocks_fixed`
  bool blocks_fixed = false;
  std::optional<int> iterations;  // timed iterations a visit, when fixed
  std::optional<int> warmup;      // warm-up iterations, when fixed
  double target = 0.02;           // wanted half-width of every contrast's interval, in ln units
  // Of the timed part of a visit, at least. Three tell what a visit has to say; two more are those
  // that a warm-up found later to be longer may still take.
  int min_iterations = 5;
  double min_visit_s = 0.25;
  // A visit is timed for at least this many times what it spends outside its iterations (start,
  // load), within bounds, so that most of the wall time is measuring; 0 = off.
  double timed_over_startup = 1.6;
  double budget_s = 600;      // wall time of all parts, where `budget_fixed`
  bool budget_fixed = false;  // false: budget_s is the most, and what the pilot takes is enough
  double timeout_s = 120;     // a visit's deadline
  // Control sizes, where a verdict is ambiguous.
  OpenEnum<Automatic> controls = Automatic::off;
  bool diagnose = false;          // finds out why, as the next four say
  std::vector<std::string> only;  // parts of the diagnosis that are wanted; empty: all
  // Suspected causes are put to the test; the recommendation is held against fresh visits.
  OpenEnum<Automatic> verify_causes = Automatic::automatic;
  OpenEnum<Automatic> verify = Automatic::automatic;
  // Wall time of all of that; absent: what the main part leaves of a fixed budget, else budget_s
  // each.
  std::optional<double> diagnose_budget_s;
  std::optional<int64_t> memory_limit_bytes;
  std::string memory_limit_kind;  // cgroup-v1, cgroup-v2, rlimit-data
  // What the recommendation has to keep to, and what it is compared with.
  std::optional<double> latency_budget_s;                  // of one iteration
  std::optional<OpenEnum<LatencyStatistic>> latency_of{};  // that the budget bounds; absent: p50
  std::optional<int64_t> current_batch_size;               // absent: the smallest measured
};

// Whether a fixed budget pays for more than the main part.
inline bool shares_budget(const MeasurementPlan& plan) {
  const bool diagnosis = plan.diagnose && !plan.diagnose_budget_s;
  return plan.budget_fixed && (diagnosis || plan.controls == Automatic::automatic);
}

// Of a budget that other parts share, what the main part may take at most.
inline constexpr double kShareOfMainPart = 0.5;
inline double share_of_main_part(const MeasurementPlan& plan) {
  return shares_budget(plan) ? kShareOfMainPart : 1;
}

// What wrote the run: `profile`, `import` of a table, a program (api), `tune`, or the
// search for the largest batch.
enum class Origin { profile, imported, api, tune, max_batch, other };
std::string_view to_string(Origin origin);

struct Header {
  int schema_version = kSchemaVersion;
  std::string tool_version;
  std::string created;  // UTC, ISO 8601
  OpenEnum<Origin> origin = Origin::profile;
  Machine machine;
  std::map<std::string, std::string> versions;  // torch, cuda, driver, compiler, glibc
  std::vector<ModelInfo> models;
  std::map<std::string, std::string> axes;      // as typed: "batch_size" -> "1,2,4,8"
  std::optional<TuneSettings> tune{};           // of that origin
  std::optional<MaxBatchSettings> max_batch{};  // the same
  std::vector<std::string> command_line;
  uint64_t seed = 0;
  MeasurementPlan plan;
  int64_t configurations = 0;      // that the run began with; 0: not recorded
  std::vector<std::string> notes;  // what a reader must know: a forced resume, a default taken
};

// What of the latency the run's budget bounds.
LatencyStatistic bounded_latency(const Header& header);

// Whether the samples of a training step were stated, so that every step takes as many.
bool states_effective_batch(const Header& header);

struct End {
  OpenEnum<EndReason> reason;
  double wall_s = 0;       // wall time of the measurement, all attempts together
  double iteration_s = 0;  // the part inside model iterations, timed or warm-up
};

// What the reader had to pass over; printed as a warning by whoever reads.
struct ReadReport {
  bool torn_last_line = false;
  int64_t valid_bytes = 0;  // where the last whole line ends: resuming cuts there
  std::map<std::string, int> unknown_types;
  std::vector<std::string> skipped;  // "line 12: visit without samples_ns", at most 20
  int skipped_count = 0;
};

struct RunFile {
  Header header;
  std::vector<RunConfig> configs;
  std::vector<Visit> visits;  // all attempts, as they stand in the file; see current_visits
  std::vector<Event> events;
  std::vector<OutputDifference> outputs;  // of engines that are compared
  std::vector<Probe> probes;              // of the search for the largest batch
  // Of a run whose blocks were measured as a job, on one or several machines; else empty.
  std::vector<Node> nodes;
  std::vector<Placement> placements;  // one a block
  std::optional<End> end;
  int budgets_spent = 0;  // ends for that reason: a search that goes on has its budget once more
  ReadReport report;
};

// Reads a run file. Accepts a torn last line, unknown types and lines of a known type that are
// wrong, all counted in `report`. Errors: input (cannot be read, not a run file, a newer schema
// version).
base::Result<RunFile> read_run_file(const std::filesystem::path& path);
// The same from memory; `name` stands in errors.
base::Result<RunFile> parse_run_file(std::string_view text, std::string_view name);

// One line of the file each, without '\n'. parse_run_file reads back what these write, field by
// field.
std::string header_line(const Header& header);
std::string config_line(int index, const RunConfig& config);
std::string visit_line(const Visit& visit);
std::string event_line(const Event& event);
std::string outputs_line(const OutputDifference& outputs);
std::string probe_line(const Probe& probe);
std::string node_line(int index, const Node& node);
std::string place_line(const Placement& placement);
std::string end_line(const End& end);
// All of them: a run that is complete, or known as a whole.
std::string run_file_text(const RunFile& run);

// The visits that count: of every block only the latest attempt.
std::vector<const Visit*> current_visits(const RunFile& run);

}  // namespace batchscope::schema
