#pragma once

#include <nlohmann/json_fwd.hpp>

#include "batchscope/attribution/host_time.hpp"

namespace batchscope::traceview {

nlohmann::ordered_json host_json(const attribution::HostTime& host);

}  // namespace batchscope::traceview
