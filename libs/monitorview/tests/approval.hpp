#pragma once

#include <string>

namespace batchscope::monitorview::testing {

// Compares with tests/approved/NAME, as one string. With BATCHSCOPE_UPDATE_APPROVED=1 in the
// environment it is written anew, to be read as a diff.
void expect_approved(const std::string& name, const std::string& actual);

}  // namespace batchscope::monitorview::testing
