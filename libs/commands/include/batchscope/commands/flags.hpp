#pragma once

#include <string>
#include <string_view>

#include "batchscope/base/subject.hpp"

namespace batchscope::commands {

// The flag that sets the subject: "--seq-lens". What libraries say is spelt with it where it leaves
// the program: in messages, in what verbs print and in the files that they write.
std::string flag_of(base::Subject subject);
// Of a subject or an axis, by its name.
std::string flag_named(std::string_view name);

}  // namespace batchscope::commands
