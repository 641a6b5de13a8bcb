#pragma once

#include <string>

#include "batchscope/findings/tuning.hpp"

namespace batchscope::cli {

// What is printed of a search: of a run that measured, or of a replay.
std::string tune_text(const findings::Tuning& tuning);

}  // namespace batchscope::cli
