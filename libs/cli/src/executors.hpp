#pragma once

#include <memory>

#include "batchscope/device/cpu_list.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::cli {

// What the header of a run file says of this machine, its GPUs included.
schema::Machine this_machine();

// Makes visits as the plan's isolation asks: workers are this very program, started anew. `fitness`
// outlives it. `cpus`: to pin several instances to.
std::unique_ptr<measure::VisitExecutor> make_executor(const schema::Plan& plan,
                                                      measure::FitnessProbe* fitness,
                                                      const device::CpuList& cpus = {});

}  // namespace batchscope::cli
