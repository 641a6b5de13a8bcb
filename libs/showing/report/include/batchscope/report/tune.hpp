#pragma once

#include <string>

#include "batchscope/findings/tuning.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::api {

// What is told of a search: of a run that measured, or of a replay; the answer last. Names are
// untrusted: what steers a terminal is spelt out.
std::string tune_text(const findings::Tuning& tuning, const document::TextStyle& style = {});

}  // namespace batchscope::api
