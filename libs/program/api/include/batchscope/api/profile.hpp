#pragma once

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/measured_run.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::api {

// Measures models over batch sizes and other axes, in fresh processes and random order, keeps every
// sample in a run file, and does what the plan asks for beyond that (controls, causes,
// verification). A run file that is gone on with and is complete is returned as it is. A run in
// which nothing could be measured has no visits. `observer` may be null. Errors: usage (an option
// that cannot be meant, a run file that exists, or that another verb wrote; a resumed run that was
// begun with another value), input (models and files that cannot be read), failed (no plugin, no
// worker, the run file cannot be written), interrupted (before anything was measured), and those of
// study::run.
base::Result<MeasuredRun> profile(const Program& program, const MeasureOptions& options,
                                  measure::Observer* observer = nullptr);

// What it would measure; nothing is written. Errors: as profile.
base::Result<measure::Job> profile_job(const Program& program, const MeasureOptions& options);

}  // namespace batchscope::api
