#include <algorithm>
#include <optional>

#include "batchscope/api/cluster.hpp"
#include "batchscope/api/profile.hpp"
#include "batchscope/base/base64.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/cluster/conditions.hpp"
#include "batchscope/study/study.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kPickle = "pickle:";

Error only_on_one(const std::string& flag, const std::string& what) {
  return {ErrorKind::usage, what + " chooses from all that was measured, step by step", flag,
          "leave it out here, or measure on one machine: without --job and --launcher"};
}

// What follows from measurements, or ends them early, is for one machine.
Result<void> check_splits(const MeasureOptions& options) {
  const schema::MeasurementPlan& plan = options.request.plan;
  if (!plan.blocks_fixed) {
    return Error{ErrorKind::usage, "a job needs a number of blocks", "--job", "add --blocks 12"};
  }
  if (plan.diagnose) return only_on_one("--diagnose", "a diagnosis");
  if (plan.controls == schema::Automatic::automatic) return only_on_one("--controls", "it");
  if (plan.budget_fixed) return only_on_one("--budget", "a run with a budget");
  if (options.wait_for_quiet_s > 0) {
    return Error{ErrorKind::usage, "blocks do not wait for a quiet machine", "--wait-for-quiet",
                 "leave it out: each visit records how busy its machine was"};
  }
  const study::FollowUps more = study::follow_ups_of(plan);
  if (more.verification.automatic) return only_on_one("--verify", "verification");
  if (plan.isolation == schema::Isolation::none) {
    return Error{ErrorKind::usage, "blocks of a job are measured in processes of their own",
                 "--isolation", "use config or block"};
  }
  return {};
}

Result<std::vector<cluster::CarriedFile>> carried(const schema::Header& header) {
  std::vector<cluster::CarriedFile> files;
  for (const schema::ModelInfo& model : header.models) {
    if (!model.path.starts_with(kPickle)) continue;
    const std::filesystem::path path = model.path.substr(kPickle.size());
    const auto content = base::read_file(path);
    if (!content) return content.error();
    files.push_back({path.filename().string(), base::base64(*content)});
  }
  return files;
}

Result<cluster::JobFile> file_of(const Program& program, measure::Job job) {
  cluster::JobFile file;
  auto files = carried(job.header);
  if (!files) return std::move(files).error();
  file.blocks = job.header.plan.blocks;
  file.header = std::move(job.header);
  file.configs = std::move(job.configs);
  file.environment = cluster::timing_variables();
  file.interpreter = program.interpreter;
  file.folder = std::filesystem::current_path().string();
  file.files = *std::move(files);
  return file;
}

}  // namespace

Result<cluster::JobFile> make_job(const Program& program, const MeasureOptions& options,
                                  const std::filesystem::path& folder) {
  if (auto splits = check_splits(options); !splits) return splits.error();
  MeasureOptions asked = options;
  asked.file = {};  // the job is no run file to go on with
  asked.request.measured_elsewhere = true;
  std::optional<cluster::JobFile> there;
  std::error_code unknown;
  if (std::filesystem::exists(cluster::job_path(folder), unknown)) {
    auto read = cluster::read_job(folder);
    if (!read) return read;
    there = *std::move(read);
    if (!options.states("--seed")) asked.request.seed = there->header.seed;
  }
  auto job = profile_job(program, asked);
  if (!job) return std::move(job).error();
  auto made = file_of(program, *std::move(job));
  if (!made) return made;
  if (there) {
    if (auto same = cluster::check_same_job(*there, *made); !same) return same.error();
    there->blocks = made->blocks;
    made = *std::move(there);
  }
  if (auto written = cluster::write_job(folder, *made); !written) return written.error();
  return made;
}

}  // namespace batchscope::api
