#pragma once

#include <string_view>

namespace batchscope::attribution {

// Whether a kernel, an operator or a Python function of that name talks to other devices, whatever
// the library: NCCL and RCCL, and the all-reduces that serving engines bring themselves.
bool names_communication(std::string_view name);
// Whether a kernel may that runs among such as do.
bool may_communicate(std::string_view kernel);

}  // namespace batchscope::attribution
