#pragma once

#include <memory>
#include <string_view>

#include "batchscope/api/program.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/study/axes.hpp"

namespace batchscope::api {

// What the header of a run file says of this machine, its GPUs included.
schema::Machine this_machine();

// Makes visits as the plan's isolation asks; workers are the program's. `fitness` outlives it.
// `cpus`: to pin several instances to.
std::unique_ptr<measure::VisitExecutor> make_executor(const Program& program,
                                                      const schema::MeasurementPlan& plan,
                                                      measure::FitnessProbe* fitness,
                                                      const host::CpuList& cpus = {});

// Removes what workers left that were ended from outside: files made up for training, memory
// groups.
void tidy_up();

// Calls every model of the job once, in worker processes whatever the plan's isolation where the
// program has one, so that a mistake which would fail every visit is an error before anything is
// written. Errors: those of measure::try_models; usage (a plan that needs workers, and there are
// none).
base::Result<void> try_models(const Program& program, const measure::Job& job);

// As load_engine, of an engine that is asked about models while a run is set up: it opens model
// files in a worker process under the plan's limits where the program has one, whatever the plan's
// isolation, since whoever opens such a file may crash or run out of memory. What is asked about a
// model in Python has the plan's memory.
base::Result<std::unique_ptr<engine::Engine>> load_to_inspect(const Program& program,
                                                              const schema::MeasurementPlan& plan,
                                                              std::string_view name);

// Asks the engine what a model file is to be fed where nobody typed it, and tells so. `program`
// outlives what is returned.
study::InputsOf inputs_finder(const Program& program);

}  // namespace batchscope::api
