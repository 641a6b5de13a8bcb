#pragma once

#include <string>

#include "batchscope/base/result.hpp"
#include "server/asio.hpp"

namespace batchscope::exporter {

// Errors: usage, where it is no address, or its host has none here.
base::Result<Tcp::endpoint> listen_address(const std::string& text);

}  // namespace batchscope::exporter
