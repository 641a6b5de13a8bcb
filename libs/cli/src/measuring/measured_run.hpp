#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/resume.hpp"
#include "batchscope/measure/run_output.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/study/job.hpp"

namespace batchscope::cli {

// What the verbs that measure share: from the job, new or gone on with, to the run that is
// recorded.

using LoadedEngines = std::vector<std::unique_ptr<engine::Engine>>;  // at least one

// The job that a request asks for on this machine, with the command line in its header. Errors:
// those of study::make_job.
base::Result<measure::Job> make_new_job(std::string_view verb,
                                        const std::vector<std::string>& arguments,
                                        const LoadedEngines& engines,
                                        study::ProfileRequest& request);
// A recorded run that goes on; what the models are now is held against it. Errors: those of
// study::inspect_again and measure::resume.
base::Result<measure::ResumedRun> take_up(schema::RunFile recorded, const LoadedEngines& engines,
                                          const study::ProfileRequest& request, bool force);

// What makes visits, and of what.
struct RunParts {
  const LoadedEngines& engines;
  const measure::Job& job;
  const std::optional<schema::RunFile>& recorded;  // when resuming
  measure::RunOutput& output;
  measure::Observer& observer;
};
// Calls the models once where nothing was measured yet, opens the file, and lets `work` measure
// until it is done or interrupted (Ctrl-C, SIGTERM). Returns all that is recorded then, with its
// end. Errors: the trial's, the file's and those of `work`.
using Work = std::function<base::Result<schema::End>(measure::Session&)>;
base::Result<schema::RunFile> measure_run(const RunParts& parts, const Work& work);

// Says what an interrupted run leaves: how to go on with it, or that there is nothing.
void warn_of_interruption(const schema::RunFile& run, const measure::RunOutput& output,
                          const std::filesystem::path& path, const base::Log& log);

}  // namespace batchscope::cli
