#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/run_output.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/measure/sink.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// What the verbs that measure share: from what is asked for, begun or gone on with, to the run that
// is recorded.

using LoadedEngines = std::vector<std::unique_ptr<engine::Engine>>;  // at least one

// What a verb adds to setting a run up; each may be empty.
struct OwnSteps {
  // A run that goes on, as it was read, before anything is loaded.
  std::function<base::Result<void>(const schema::RunFile&)> accept{};
  // The same once its engines are loaded; may change its plan.
  std::function<base::Result<void>(schema::RunFile&)> go_on{};
  // A new job: what it leaves out, and what it adds to the header.
  std::function<base::Result<void>(measure::Job&)> begin{};
};

// What one run works with.
struct Setup {
  LoadedEngines engines{};
  measure::Job job{};
  std::optional<schema::RunFile> recorded{};  // when resuming
  double wait_for_quiet_s = 0;                // at most
  double took_s = 0;                          // what it took to be set up
};

// The job that the options ask for on this machine; or that of the recorded run which they go on
// with, its plan, axes and seed, with what the models are now held against it. Errors: those of
// read_recorded, load_engines, study::make_job, study::inspect_again, measure::resume and of the
// steps.
base::Result<Setup> set_up(const Program& program, const MeasureOptions& options,
                           const OwnSteps& steps);

// Of a session beside its job: as measure::Collaborators has them.
struct SessionExtras {
  measure::Observer* observer = nullptr;
  std::vector<schema::Event> noticed{};
  std::filesystem::path trace_folder{};
  double prepared_s = 0;
};

// Lets `work` measure into `sink`, and returns all that is recorded then. Errors: those of `work`.
base::Result<schema::RunFile> measure_into(
    measure::RunSink& sink, const Program& program, const Setup& setup, SessionExtras extras,
    const std::function<base::Result<void>(measure::Session&)>& work);

// Looks at the machine, calls the models once where nothing was measured yet, opens the file, and
// lets `work` measure until it is done or a stop was asked for. Returns all that is recorded then,
// with its end. Errors: the trial's, the file's and those of `work`.
using Work = std::function<base::Result<schema::End>(measure::Session&)>;
base::Result<schema::RunFile> measure_run(const Program& program, const Setup& setup,
                                          measure::RunOutput& output, measure::Observer* observer,
                                          const Work& work);

}  // namespace batchscope::api
