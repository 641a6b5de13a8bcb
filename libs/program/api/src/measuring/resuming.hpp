#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::api {

// A resumed run keeps its settings: what was stated and says otherwise is refused. Errors: usage,
// of the flag, with what is recorded and what was asked for.
base::Result<void> check_agrees(const MeasureOptions& options, const schema::Table& table,
                                const void* recorded, const void* asked);
template <class Settings>
base::Result<void> check_agrees(const MeasureOptions& options, const Settings& recorded,
                                const Settings& asked) {
  return check_agrees(options, schema::table_of<Settings>(), &recorded, &asked);
}
// The same of its plan and its seed.
base::Result<void> check_agrees(const MeasureOptions& options, const schema::Header& recorded);

// The run that is gone on with; absent: there is none yet, and one is begun, so that a job script
// can always ask to resume. Errors: input (it cannot be read); usage (there is none, and no
// model is named).
base::Result<std::optional<schema::RunFile>> read_recorded(const MeasureOptions& options);

// Loads the engines of the run that is gone on with, else those of the options. Errors: those of
// engines::load_engine.
base::Result<std::vector<std::unique_ptr<engine::Engine>>> load_engines(
    const Program& program, const MeasureOptions& options,
    const std::optional<schema::RunFile>& recorded);

}  // namespace batchscope::api
