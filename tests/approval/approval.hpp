#pragma once

#include <string>

namespace batchscope::approval {

// Compares with tests/approved/NAME, as one string. With BATCHSCOPE_UPDATE_APPROVED=1 in the
// environment it writes the file instead: then look at the difference before you commit it.
void expect_approved(const std::string& name, const std::string& actual);

}  // namespace batchscope::approval
