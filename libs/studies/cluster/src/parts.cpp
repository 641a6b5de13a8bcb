#include "batchscope/cluster/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/cluster/conditions.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::cluster {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr double kNanosecondsASecond = 1e9;

bool is_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

template <class T>
std::vector<std::string> hashes_of(const T& models) {
  return base::mapped(models, [](const schema::ModelInfo& model) { return model.hash; });
}

// What makes a part one of another job; empty: it is of this one.
std::string difference(const JobFile& job, const schema::RunFile& part, int block) {
  const schema::Header &own = job.header, &its = part.header;
  if (its.tool_version != own.tool_version) {
    return fmt::format("batchscope {} measured it, the job is of {}", its.tool_version,
                       own.tool_version);
  }
  if (hashes_of(its.models) != hashes_of(own.models)) return "it measured another model";
  if (its.created != own.created || its.seed != own.seed || part.configs != job.configs) {
    return "it is of another job";
  }
  const bool placed = part.nodes.size() == 1 && part.placements.size() == 1 &&
                      part.placements.front().block == block;
  const bool others = std::any_of(part.visits.begin(), part.visits.end(),
                                  [&](const auto& visit) { return visit.block != block; });
  return placed && !others ? "" : "it is of another block";
}

double seconds(int64_t ns) {
  return static_cast<double>(ns) / kNanosecondsASecond;
}

schema::End end_of(const schema::RunFile& run, schema::EndReason reason) {
  schema::End end;
  end.reason = reason;
  end.iteration_s = seconds(measure::iteration_ns(run));
  for (const schema::Visit& visit : run.visits) end.wall_s += seconds(visit.wall_ns);
  for (const schema::Event& event : run.events) end.wall_s += seconds(event.wall_ns);
  return end;
}

void append_part(schema::RunFile& run, schema::RunFile part) {
  const auto known = std::find(run.nodes.begin(), run.nodes.end(), part.nodes.front());
  schema::Placement placement = part.placements.front();
  placement.node = static_cast<int>(known - run.nodes.begin());
  if (known == run.nodes.end()) run.nodes.push_back(std::move(part.nodes.front()));
  run.placements.push_back(std::move(placement));
  std::move(part.visits.begin(), part.visits.end(), std::back_inserter(run.visits));
  std::move(part.events.begin(), part.events.end(), std::back_inserter(run.events));
}

std::string named(const std::vector<int>& blocks) {
  return fmt::format("{} {}", blocks.size() == 1 ? "block" : "blocks", fmt::join(blocks, ", "));
}

// The head of the merged run says what all nodes share, and the first one's machine.
void complete(Merged& merged, const JobFile& job) {
  schema::RunFile& run = merged.run;
  schema::Header& header = run.header;
  header.plan.blocks = job.blocks;
  header.machine = run.nodes.front().machine;
  header.versions = run.nodes.front().versions;
  std::vector<std::string> nodes;
  for (const schema::Node& node : run.nodes) base::add_if_new(nodes, node.name);
  header.notes.push_back(fmt::format("Measured on {}: {}.", base::counted(nodes.size(), "node"),
                                     fmt::join(nodes, ", ")));
  const bool all = merged.missing.empty();
  if (!all) {
    run.events.push_back({{named(merged.missing) + " missing", {}, "measure them, merge again"},
                          schema::EventKind::warning});
  }
  run.end = end_of(run, all ? schema::EndReason::blocks_done : schema::EndReason::interrupted);
}

}  // namespace

schema::RunFile part_of(const schema::RunFile& recorded, const schema::Node& node,
                        const schema::Placement& placement) {
  schema::RunFile part;
  part.header = recorded.header;
  part.header.machine = node.machine;
  part.header.versions = node.versions;
  part.configs = recorded.configs;
  part.nodes = {node};
  part.placements = {placement};
  part.placements.front().node = 0;
  part.events = warnings_of(placement);
  const auto is_own = [&](const auto& block) { return block == placement.block; };
  std::copy_if(recorded.visits.begin(), recorded.visits.end(), std::back_inserter(part.visits),
               [&](const schema::Visit& visit) { return is_own(visit.block); });
  std::copy_if(recorded.events.begin(), recorded.events.end(), std::back_inserter(part.events),
               [&](const schema::Event& event) { return is_own(event.where.block); });
  part.end = end_of(part, schema::EndReason::blocks_done);
  return part;
}

Result<schema::RunFile> read_part(const std::filesystem::path& folder, const JobFile& job,
                                  int block) {
  const std::filesystem::path path = part_path(folder, block);
  auto part = schema::read_run_file(path);
  if (!part) return part;
  const bool cut = part->report.torn_last_line || !part->end || part->report.skipped_count > 0;
  const std::string why = cut ? "it is cut short" : difference(job, *part, block);
  if (why.empty()) return part;
  return Error{ErrorKind::input, "this part cannot be used: " + why, path.string(),
               fmt::format("remove it and measure block {} again", block)};
}

Result<schema::RunFile> history_for(const std::filesystem::path& folder, const JobFile& job,
                                    int block) {
  schema::RunFile run = empty_run(job);
  if (block < kScouts) return run;
  for (int scout = 0; scout < std::min(kScouts, job.blocks); ++scout) {
    if (!is_there(part_path(folder, scout))) {
      return Error{ErrorKind::failed, "blocks 0 and 1 are not measured yet: all others need them",
                   part_path(folder, scout).string(), "measure blocks 0 and 1 first"};
    }
    auto part = read_part(folder, job, scout);
    if (!part) return part;
    append_part(run, *std::move(part));
  }
  run.nodes.clear();
  run.placements.clear();
  if (!run.visits.empty()) return run;
  const auto failure = std::find_if(run.events.begin(), run.events.end(), schema::is_failure);
  return Error{ErrorKind::input,
               "blocks 0 and 1 could measure nothing" +
                   (failure == run.events.end() ? "" : ": " + schema::in_words(*failure)),
               folder.string(), failure == run.events.end() ? "" : failure->fix};
}

std::vector<int> missing_blocks(const std::filesystem::path& folder, const JobFile& job) {
  std::vector<int> missing;
  for (int block = 0; block < job.blocks; ++block) {
    if (!is_there(part_path(folder, block))) missing.push_back(block);
  }
  return missing;
}

Result<Merged> merge(const std::filesystem::path& folder, const JobFile& job) {
  Merged merged{empty_run(job), missing_blocks(folder, job)};
  for (int block = 0; block < job.blocks; ++block) {
    if (base::contains(merged.missing, block)) continue;
    auto part = read_part(folder, job, block);
    if (!part) return part.error();
    append_part(merged.run, *std::move(part));
  }
  if (merged.run.placements.empty()) {
    return Error{ErrorKind::input, "no block of this job is measured yet", folder.string(),
                 "run batchscope block " + folder.string() + " 0 1"};
  }
  complete(merged, job);
  return merged;
}

}  // namespace batchscope::cluster
