#pragma once

#include <string>

#include "batchscope/findings/tuning.hpp"

namespace batchscope::api {

// What is told of a search: of a run that measured, or of a replay; the answer last.
std::string tune_text(const findings::Tuning& tuning);

}  // namespace batchscope::api
