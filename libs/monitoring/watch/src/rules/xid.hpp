#pragma once

#include <string_view>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// What an error that the driver tells of by number (XID) means, and who mends it. After NVIDIA's
// "XID Errors", https://docs.nvidia.com/deploy/xid-errors/.
struct XidMeaning {
  int number = 0;
  std::string_view what;
  std::string_view fix;
  findings::Severity severity = findings::Severity::medium;
};

// A meaning of its own for what is not in the table, whose number is 0.
const XidMeaning& meaning_of_xid(int number);

}  // namespace batchscope::watch
