#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/schema/kinds.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/block_table.hpp"
#include "batchscope/timing/slow_iterations.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::schema {
struct RunFile;
struct Visit;
}  // namespace batchscope::schema

namespace batchscope::tables {

// Of all tests on the calm table. Its spikes are moved in, so that Student's t has its power; and
// where visits fall into two groups, which no robust test survives, it keeps its error rate.
inline constexpr stats::Method kCalmMethod = stats::Method::student_t;

// One visit that counts.
using UsableVisit = timing::SteadyVisit;

// One configuration with what was measured of it.
struct ConfigData {
  schema::RunConfig config;
  int config_index = 0;
  schema::Purpose purpose = schema::Purpose::measure;  // control when all its visits are
  std::vector<UsableVisit> visits;
  bool settled = true;      // false: nothing is proven of it, as timing::WarmVisits has it
  timing::Unseen unseen{};  // of its mean iteration

  int64_t batch_size() const { return config.shape.batch_size; }
};

// Another way to read the same visits, in which whatever is claimed of a table has to hold too.
// Slices of time that a busy machine gives to others slip between short iterations, whose median
// does not see them, and hit all long ones: medians alone would make these look slow.
struct RobustnessCheck {
  std::string words;      // "by the mean iteration"
  BlockTable winsorized;  // as GroupData::calm
};

// Configurations that differ in batch size only, ascending, each with at least one usable visit;
// `table` has a column for each.
struct GroupData {
  schema::RunConfig key;  // batch size 0
  std::vector<ConfigData> configs;
  BlockTable table;
  BlockTable winsorized;  // the same with spikes moved in: what tests across sizes rest on
  BlockTable work;        // ln of mean iterations instead of typical ones: what throughput rests on
  BlockTable calm_work;   // the same with spikes moved in
  std::vector<RobustnessCheck> readings;
  bool settled = true;  // false: one of its configurations is not, so that the table proves nothing
};

// A run file as the analysis sees it: the visits of the latest attempts that were made to measure.
struct RunView {
  const schema::RunFile* run = nullptr;
  bool repeated = true;     // false: imported, or in the caller's process: suspicions at most
  int excluded_visits = 0;  // too few iterations were left of them
  int repeated_visits = 0;  // stand in the file once more; the first counts
  int trimmed_visits = 0;   // that lost timed iterations to a warm-up that grew later
  timing::Warmups warmups;  // what the visits say of warming up
  timing::SlowIterations slow;
  std::vector<const schema::Visit*> diagnostic;  // visits of that purpose, in the order of the file
  std::vector<GroupData> groups;                 // in the order of the file
};

// By what the run itself shows, whatever it is analyzed with.
RunView view_run(const schema::RunFile& run);
std::vector<RunView> view_runs(std::span<const schema::RunFile> runs);

// The columns that claims may rest on: those with at least half as many values as the fullest, of
// the calm table, of that of a reading, or as measured. Controls come late: they are part of it
// only where `with_controls`.
BlockTable testable_columns(const GroupData& group, bool with_controls);
BlockTable testable_columns(const GroupData& group, const RobustnessCheck& reading,
                            bool with_controls);
BlockTable measured_columns(const GroupData& group, bool with_controls);

// The configuration's visits; null where it has none.
const ConfigData* find_config(const RunView& view, const schema::RunConfig& config);

}  // namespace batchscope::tables
