#pragma once

#include <optional>

#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/schema/diagnosis.hpp"
#include "observation.hpp"

namespace batchscope::measure {

// What was observed, and what the engine itself can show, where the request has it traced. That
// comes last, because it disturbs. A failure of it costs only what it would have shown.
schema::Diagnosis diagnose(engine::Model& model, engine::Batch& batch,
                           const std::optional<Observation>& observed, const VisitRequest& request);

}  // namespace batchscope::measure
