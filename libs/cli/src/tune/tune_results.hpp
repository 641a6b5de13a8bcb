#pragma once

#include <string>

#include "batchscope/schema/tuning.hpp"

namespace batchscope::cli {

// What is printed of a search: of a run that measured, or of a replay.
std::string tune_text(const schema::Tuning& tuning);

}  // namespace batchscope::cli
