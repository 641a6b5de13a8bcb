#pragma once

#include <stop_token>

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

}  // namespace batchscope::measure
