#pragma once

#include <string>
#include <string_view>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// One row a configuration of every group, in order: the axes (model, batch_size, seq_len,
// precision, device, threads, instances, mode, engine), then time_ms to verdict. RFC 4180 quoting,
// lines end in "\n"; numbers read back to the same double; empty where there is none.
std::string csv(const findings::Summary& summary);

// A name as such a field: cleaned, quoted where it has to be, and with an apostrophe before it
// where a spreadsheet would take it for a formula ('=', '+', '-' or '@' first).
std::string csv_text(std::string_view text);

}  // namespace batchscope::report
