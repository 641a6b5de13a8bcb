#pragma once

#include <string>

#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

// The recording in the Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing open.
// Times count from the first range. A range that does not lie wholly within the one around it
// becomes an asynchronous event, because on a thread's track the viewers show nested ones only.
// Device time and memory stand among a range's arguments; memory also is a counter track.
std::string chrome_trace(const Recording& recording);

}  // namespace batchscope::ranges
