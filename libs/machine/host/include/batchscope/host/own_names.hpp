#pragma once

#include <string>
#include <vector>

namespace batchscope::host {

// Who runs this program, and the machine by its name, as far as the system tells: what a redacted
// report must not show, though no run file names it.
std::vector<std::string> own_names();

}  // namespace batchscope::host
