#pragma once

#include <vector>

#include "batchscope/watch/standing.hpp"

namespace batchscope::monitorview {

// For readers: one finding in place of those of the same kind and severity about several GPUs,
// which all stand or have all ended, such as eight that wait for one loader. It is the first of
// them; its sentence names the others ("GPU 0 (likewise 1 to 7) is busy for 30 % ..."), and it
// lasts from the earliest beginning to the latest end. The order is that of the first of each.
std::vector<watch::Standing> told_together(const std::vector<watch::Standing>& findings);

}  // namespace batchscope::monitorview
