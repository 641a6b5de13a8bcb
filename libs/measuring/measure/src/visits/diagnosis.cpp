#include "diagnosis.hpp"

#include <filesystem>
#include <system_error>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/measure/trace_folder.hpp"
#include "batchscope/ranges/nvtx.hpp"

namespace batchscope::measure {
namespace {

void put_trace(const std::filesystem::path& kept, schema::Diagnosis& diagnosis) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(kept, none);
  if (none) {
    diagnosis.absent.try_emplace("trace_file", "the engine's tracer wrote no file");
    return;
  }
  diagnosis.trace_file = recorded_name(kept);
  diagnosis.trace_bytes = static_cast<int64_t>(bytes);
}

}  // namespace

schema::Diagnosis diagnose(engine::Model& model, engine::Batch& batch,
                           const std::optional<Observation>& observed,
                           const VisitRequest& request) {
  schema::Diagnosis diagnosis = observed ? observed->seen() : schema::Diagnosis{};
  if (!request.traced) return diagnosis;
  auto* const tracer = model.as<engine::Diagnoses>();
  if (tracer == nullptr) {
    diagnosis.absent["operations"] = "the engine has no tracer";
    diagnosis.absent["primitives"] = "the engine has no log of its kernel library";
    return diagnosis;
  }
  const ranges::nvtx::ScopedRange shown("diagnose");
  // Of several instances the first is the one that is recorded.
  const std::filesystem::path trace_file = request.context.instance == 0 ? request.trace_file : "";
  if (auto done = tracer->diagnose(batch, trace_file, diagnosis); !done) {
    diagnosis.absent["operations"] = done.error().what;
  }
  if (!trace_file.empty()) put_trace(trace_file, diagnosis);
  return diagnosis;
}

}  // namespace batchscope::measure
