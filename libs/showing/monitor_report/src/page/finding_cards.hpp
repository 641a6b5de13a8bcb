#pragma once

#include <string>

#include "tables/words.hpp"

namespace batchscope::monitor_report {

// Findings as cards: how severe, what, when, on what grounds, what to try. The number of each is
// that of its band.
std::string finding_cards(const LogView& view, const RecordedSeries& recorded);

}  // namespace batchscope::monitor_report
