#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/fitness_probe.hpp"

namespace batchscope::measure {

// Where an executor or a worker gets its engine from, by its name.
using EngineFactory =
    std::function<base::Result<std::unique_ptr<engine::Engine>>(std::string_view name)>;

// Whether a loaded model serves the visits after it.
enum class ModelReuse {
  never,  // each visit loads its own, as a fresh process would; for engines in virtual time
  // Isolation none and block: one load for each model and execution. A model whose visit failed is
  // not used again. Where it is not on the CPU it is alone on its device, and another one that is
  // loaded there takes its place: a visit is to have as much memory as in a process of its own.
  keep,
};

// Visits in the calling process and on the engine's own clock. It cannot survive a crash, a hang or
// the kernel's out-of-memory killer. `fitness` may be null.
std::unique_ptr<VisitExecutor> make_in_process_executor(EngineFactory factory, ModelReuse reuse,
                                                        FitnessProbe* fitness = nullptr);

}  // namespace batchscope::measure
