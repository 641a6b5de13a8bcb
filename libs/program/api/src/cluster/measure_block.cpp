#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stop_token>

#include "batchscope/api/cluster.hpp"
#include "batchscope/base/base64.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/cluster/conditions.hpp"
#include "batchscope/cluster/device_lock.hpp"
#include "batchscope/cluster/parts.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "measuring/executors.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resuming.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

Result<cluster::JobFile> read_own_job(const Program& program, const fs::path& folder, int block) {
  auto job = cluster::read_job(folder);
  if (!job) return job;
  if (block < 0 || block >= job->blocks) {
    return Error{ErrorKind::usage, "the job has " + base::counted(job->blocks, "block"),
                 std::to_string(block), "name one from 0"};
  }
  if (program.version == job->header.tool_version) return job;
  return Error{
      ErrorKind::input,
      "batchscope " + job->header.tool_version + " made this job, here it is " + program.version,
      cluster::job_path(folder).string(), "install the same version on all nodes"};
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

// Pickled models, for as long as the block takes.
class CarriedFiles {
 public:
  CarriedFiles() = default;
  CarriedFiles(const CarriedFiles&) = delete;
  CarriedFiles& operator=(const CarriedFiles&) = delete;
  ~CarriedFiles() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Result<void> unpack(cluster::JobFile& job) {
    if (job.files.empty()) return {};
    std::string name = (fs::temp_directory_path() / "batchscope-job-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      return Error{ErrorKind::failed, "no temporary folder can be made", name,
                   "set TMPDIR to another folder"};
    }
    folder_ = name;
    for (const cluster::CarriedFile& file : job.files) {
      const std::string path = (folder_ / fs::path(file.name).filename()).string();
      const auto bytes = base::from_base64(file.base64);
      if (!bytes) return Error{ErrorKind::input, "a model in it is damaged", file.name, ""};
      if (auto written = base::write_file_atomically(path, *bytes); !written) return written;
      for (schema::ModelInfo& model : job.header.models) {
        if (model.path.ends_with("/" + file.name)) model.path = "pickle:" + path;
      }
    }
    return {};
  }

 private:
  fs::path folder_;
};

// The working folder that relative paths of models begin in, where this machine has it.
class InFolder {
 public:
  explicit InFolder(const std::string& folder) {
    std::error_code not_here;
    if (!folder.empty()) fs::current_path(folder, not_here);
  }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;
  ~InFolder() {
    std::error_code gone;
    fs::current_path(before_, gone);
  }

 private:
  fs::path before_ = fs::current_path();
};

// Its models as they are on this machine, held against the job's.
Result<Setup> set_up_block(const Program& program, schema::RunFile history) {
  Setup setup;
  auto engines = load_engines(program, MeasureOptions{}, history);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  study::ProfileRequest request;
  request.places = program.places;
  const schema::Machine machine = history.header.machine;
  const auto present = study::inspect_again(setup.engines, machine, history, request);
  if (!present) return present.error();
  auto resumed = measure::resume(std::move(history), *present, false);
  if (!resumed) {
    Error error = resumed.error();
    error.where = "the job";
    error.fix = "give all nodes the same models";
    return error;
  }
  setup.job = std::move(resumed->job);
  setup.recorded = std::move(resumed->recorded);
  return setup;
}

std::map<std::string, std::string> versions_of(const LoadedEngines& engines,
                                               const gpu::Gpus& gpus) {
  std::map<std::string, std::string> versions;
  for (const auto& engine : engines) {
    for (const auto& [name, version] : engine->versions()) versions[name] = version;
  }
  if (const auto driver = gpus.driver_version()) versions["driver"] = *driver;
  return versions;
}

int64_t unix_ns() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// An engine that cancels a task ends all its processes: a worker may be gone before the stop that
// is meant for all is known here.
bool is_stopping(const Program& program, const schema::RunFile& part) {
  constexpr auto kForTheStop = std::chrono::milliseconds(500);
  const bool failed = std::any_of(part.events.begin(), part.events.end(), schema::is_failure);
  if (failed) base::pause(program.stop, kForTheStop);
  return program.stop.stop_requested();
}

Result<BlockOutcome> write_part(const fs::path& path, const schema::RunFile& part) {
  const auto written = base::write_new_file_atomically(path, schema::run_file_text(part));
  if (written) return BlockOutcome::measured;
  if (written.error().kind == ErrorKind::usage) return BlockOutcome::dropped;
  return written.error();
}

Result<BlockOutcome> measure_alone(const Program& program, const Setup& setup, int block,
                                   const fs::path& path, measure::Observer* observer) {
  const base::SystemRoot root;
  const auto gpus = gpu::open_gpus();
  const schema::Node node = cluster::this_node(root, *gpus, versions_of(setup.engines, *gpus));
  schema::Placement placement = cluster::placement_here(root, *gpus, setup.job.configs);
  const auto lock = cluster::DeviceLock::take(node.name, placement.devices, program.stop);
  if (!lock) return lock.error();
  if (is_there(path)) return BlockOutcome::there_already;
  placement.block = block;
  placement.lock_wait_s = lock->waited_s();
  placement.begin_ns = unix_ns();
  const auto sink = measure::make_null_sink();
  const auto measured = [block](measure::Session& session) {
    const auto begun = session.begin();
    return begun ? session.run_block(block) : begun;
  };
  const auto run = measure_into(*sink, program, setup, {observer}, measured);
  if (!run) return run.error();
  placement.end_ns = unix_ns();
  const schema::RunFile part = cluster::part_of(*run, node, placement);
  if (is_stopping(program, part)) return Error{ErrorKind::interrupted, "interrupted", "", ""};
  return write_part(path, part);
}

}  // namespace

Result<BlockOutcome> measure_block(const Program& program, const fs::path& folder, int block,
                                   measure::Observer* observer) {
  const fs::path home = fs::absolute(folder);
  auto job = read_own_job(program, home, block);
  if (!job) return job.error();
  const fs::path path = cluster::part_path(home, block);
  if (is_there(path)) return BlockOutcome::there_already;
  if (cluster::timing_variables() != job->environment) {
    cluster::set_timing_variables(job->environment);
  }
  const InFolder in_folder(job->folder);
  CarriedFiles files;
  if (auto unpacked = files.unpack(*job); !unpacked) return unpacked.error();
  auto history = cluster::history_for(home, *job, block);
  if (!history) return history.error();
  Program own = program;
  const bool is_usual = program.interpreter == Program{}.interpreter;  // none was named here
  if (is_usual && !job->interpreter.empty()) own.interpreter = job->interpreter;
  const auto setup = set_up_block(own, *std::move(history));
  if (!setup) return setup.error();
  if (own.before_measuring) own.before_measuring();
  auto outcome = measure_alone(own, *setup, block, path, observer);
  tidy_up();
  return outcome;
}

}  // namespace batchscope::api
