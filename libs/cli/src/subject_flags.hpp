#pragma once

#include <string>

#include "batchscope/base/subject.hpp"

namespace batchscope::cli {

// The flag that sets the subject: "--seq-lens". What libraries say is spelt with it where it leaves
// the program: in messages, in what verbs print and in the files that they write.
std::string flag_of(base::Subject subject);

}  // namespace batchscope::cli
