#include "batchscope/api/autotune.hpp"

#include <stdlib.h>

#include <system_error>
#include <utility>

#include "batchscope/base/file.hpp"
#include "batchscope/base/user_folder.hpp"
#include "batchscope/engine/content_hash.hpp"
#include "to_results.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::FileLock;
using base::Result;

// A folder for a run file that nobody keeps.
class PassingFolder {
 public:
  PassingFolder() {
    std::error_code ignored;
    path_ = (fs::temp_directory_path(ignored) / "batchscope-XXXXXX").string();
    made_ = ::mkdtemp(path_.data()) != nullptr;
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    if (made_) fs::remove_all(path_, ignored);
  }
  fs::path run() const { return fs::path(path_) / "tune.jsonl"; }

 private:
  std::string path_;
  bool made_ = false;
};

// A kernel keeps a little more or less for itself from one start to the next.
constexpr int64_t kMemoryStepBytes = 64 << 20;

// What the setting holds for, without what differs from one start to the next: a container has
// another host name each time.
std::string key_of(const TuneOptions& options, const measure::Job& job) {
  schema::Header header = job.header;
  header.created.clear();
  header.command_line.clear();
  header.notes.clear();
  header.machine.host.clear();
  header.machine.memory_bytes /= kMemoryStepBytes;
  if (!options.states("--seed")) header.seed = 0;
  std::string all = schema::header_line(header);
  for (std::size_t i = 0; i < job.configs.size(); ++i) {
    all += schema::config_line(static_cast<int>(i), job.configs[i]);
  }
  const std::string hash = engine::content_hash(all);
  return hash.substr(hash.find(':') + 1);
}

// The grid as it is before what ran out of memory once is left out: after the first run that would
// be another one.
Result<std::string> key_of(const Program& program, const TuneOptions& options) {
  Program forgetful = program;
  forgetful.ceilings.clear();
  forgetful.tell = nullptr;
  const auto job = tune_job(forgetful, options);
  if (!job) return job.error();
  return key_of(options, job->job);
}

Result<Autotuned> autotuned(SettingSource source, const findings::Tuning& tuning,
                            const fs::path& run) {
  if (!tuning.pick) {
    return Error{ErrorKind::failed, "no measurement succeeded: " + tuning.message, run.string(),
                 "see its events for the reasons"};
  }
  return Autotuned{source, findings::reported_pick(tuning), tuning.verified,     tuning.answer,
                   run,    tuning.points_measured,          tuning.points_total, tuning.end_reason};
}

bool is_over(const Result<schema::RunFile>& run) {
  if (!run || !run->end) return false;
  const auto& reason = run->end->reason;
  return reason != schema::EndReason::interrupted && reason != schema::EndReason::budget;
}

// What an earlier start found, by its run file; absent: nothing, or its search was not over.
std::optional<Autotuned> kept_in(const Program& program, const Result<schema::RunFile>& run,
                                 const fs::path& file) {
  if (!is_over(run)) return {};
  const auto plan = tune::read_goal(run->header);
  if (!plan) return {};
  auto kept = autotuned(SettingSource::cache, reported(program, *plan, file, *run), file);
  return kept ? std::optional(*std::move(kept)) : std::nullopt;
}

Result<Autotuned> measure(const Program& program, const TuneOptions& options,
                          measure::Observer* observer) {
  const auto made = tune(program, options, observer);
  if (!made) return made.error();
  if (!made->was_interrupted()) {
    return autotuned(SettingSource::measured, made->tuning, options.file.path);
  }
  return Error{ErrorKind::interrupted, "stopped before it found a setting",
               options.file.path.string(),
               "start again: it resumes from the recorded measurements"};
}

// With the lock of the file. Whoever held it before may have just written what is asked for. What
// is over without a setting, is no run file, or was begun where going on is refused (a container
// has another host name each time), is replaced.
Result<Autotuned> kept_or_measured(const Program& program, TuneOptions options,
                                   measure::Observer* observer) {
  const auto begun = schema::read_run_file(options.file.path);
  if (auto kept = kept_in(program, begun, options.file.path)) return *std::move(kept);
  options.file.resume = begun && !is_over(begun);
  options.file.overwrite = !options.file.resume;
  auto made = measure(program, options, observer);
  const bool refused = !made && made.error().kind == ErrorKind::input && options.file.resume;
  if (!refused) return made;
  options.file.resume = false;
  options.file.overwrite = true;
  return measure(program, options, observer);
}

Result<Autotuned> without_cache(const Program& program, TuneOptions options, const Error& why,
                                measure::Observer* observer) {
  if (program.tell) {
    program.tell(base::in_one_line(why.where, "cannot save the setting: " + why.what,
                                   "choose another folder; until then every start measures again"));
  }
  const PassingFolder folder;
  options.file.path = folder.run();
  auto made = measure(program, options, observer);
  if (made) made->run.clear();
  return made;
}

}  // namespace

fs::path default_cache_folder() {
  const fs::path cache = base::user_folder("XDG_CACHE_HOME", ".cache");
  return cache.empty() ? cache : cache / "batchscope";
}

Result<Autotuned> autotune(const Program& program, const AutotuneOptions& options,
                           measure::Observer* observer) {
  TuneOptions asked = options.tune;
  asked.file = {};
  if (asked.stated.insert("--budget").second) asked.request.plan.budget_s = kAutotuneBudgetS;
  const auto key = key_of(program, asked);
  if (!key) return key.error();
  asked.file.path = options.cache / (*key + ".jsonl");
  if (options.cache.empty()) {
    return without_cache(program, std::move(asked), {ErrorKind::failed, "no folder given"},
                         observer);
  }
  const auto found = schema::read_run_file(asked.file.path);
  if (auto kept = kept_in(program, found, asked.file.path)) return *std::move(kept);
  const auto lock = FileLock::take(options.cache / (*key + ".lock"), !options.fallback);
  if (!lock) return without_cache(program, std::move(asked), lock.error(), observer);
  if (*lock) return kept_or_measured(program, std::move(asked), observer);
  Autotuned fallback;
  fallback.source = SettingSource::fallback;
  fallback.setting.config = *options.fallback;
  return fallback;
}

}  // namespace batchscope::api
