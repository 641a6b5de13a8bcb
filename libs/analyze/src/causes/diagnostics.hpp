#pragma once

#include <optional>

#include "batchscope/findings/diagnostics.hpp"
#include "tables/run_view.hpp"

namespace batchscope::analyze {

// What the diagnostic visits of a table saw, side by side; nothing where none was made.
std::optional<findings::Diagnostics> diagnostics_of(const RunView& view, const GroupData& group);

}  // namespace batchscope::analyze
