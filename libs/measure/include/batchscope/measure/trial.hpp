#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::measure {

// One untimed call of every model on every engine at the smallest batch of the job, and where that
// fails at the next one too, so that what would fail every visit in the same way (an input of a
// wrong shape, name or type) is one error before the run instead of a run of failures. `executor`
// decides where: a process of its own, since such mistakes may crash. Laws of the synthetic engine
// are called too: they take no input, but can be told to fail. What may be due to the moment or to
// the size (out of memory, a timeout) is no mistake: the run will tell. Errors: input (the model
// refused the call), failed (it crashed), those of the executor, interrupted.
base::Result<void> try_models(const Job& job, VisitExecutor& executor, const std::stop_token& stop);

// What a model file is to be fed, where nobody says so: asked of its engine in a process of its
// own, where `executor` has such, since the engine may have to call the model. Errors: usage (the
// file does not say enough; what is known and what is missing), failed (the model crashed, hung or
// ran out of memory when it was called), those of the executor, interrupted.
base::Result<std::vector<engine::InputSpec>> ask_for_inputs(const std::string& engine,
                                                            const engine::ModelSpec& model,
                                                            VisitExecutor& executor,
                                                            const std::stop_token& stop);

}  // namespace batchscope::measure
