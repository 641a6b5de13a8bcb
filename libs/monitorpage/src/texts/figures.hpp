#pragma once

#include <vector>

#include "batchscope/document/page_frame.hpp"
#include "texts/words.hpp"

namespace batchscope::monitorpage {

// What all of it comes to, at a glance.
std::vector<document::Tile> figures_of(const Recorded& recorded, const std::vector<Chart>& charts);

}  // namespace batchscope::monitorpage
