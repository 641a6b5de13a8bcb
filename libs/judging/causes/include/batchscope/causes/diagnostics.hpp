#pragma once

#include <optional>

#include "batchscope/findings/diagnostics.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::causes {

// What the diagnostic visits of a table saw, side by side; nothing where none was made.
std::optional<findings::Diagnostics> diagnostics_of(const tables::RunView& view,
                                                    const tables::GroupData& group);

}  // namespace batchscope::causes
