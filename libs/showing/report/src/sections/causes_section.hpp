#pragma once

#include <span>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

// What causes were looked for: confirmed ones first, then suspected ones, slow sizes that none
// explains, and those ruled out; each with its evidence, the effect of taking it away, and what to
// set. Where a size is proven slow and nobody looked, the command that does. Empty without either.
document::Document causes_section(const findings::Summary& summary,
                                  std::span<const schema::RunFile> runs,
                                  const findings::Commands& commands);

}  // namespace batchscope::report
