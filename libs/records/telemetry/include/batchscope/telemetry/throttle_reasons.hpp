#pragma once

#include <string>
#include <string_view>

namespace batchscope::telemetry {

// What holds a clock down, of GpuReading's reasons, as it stands after "by": "thermal" is "heat".
// Of a log that somebody else wrote it may be any text: that comes back as it is.
std::string throttle_reason_in_words(std::string_view reason);

}  // namespace batchscope::telemetry
