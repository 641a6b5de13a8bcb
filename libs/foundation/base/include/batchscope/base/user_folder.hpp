#pragma once

#include <filesystem>
#include <string_view>

namespace batchscope::base {

// Where programs keep what is the user's: the value of `variable` ("XDG_CACHE_HOME") where that is
// an absolute path, else `below_home` in the user's home; empty without a home. As the XDG Base
// Directory Specification has it.
std::filesystem::path user_folder(const char* variable, std::string_view below_home);

}  // namespace batchscope::base
