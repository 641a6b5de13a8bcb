#pragma once

#include <string>
#include <string_view>

namespace batchscope::engines {

// Whether this names a model in Python: "net.py:factory", "package.module:factory", or one of a
// library, "hf:NAME". A file of such a name and a law ("synthetic:") are none.
bool names_python(std::string_view model);

// As tables call it: what was typed, but of "pickle:/tmp/x/net.pkl", which a user never typed, the
// name "net".
std::string name_of(const std::string& model);

}  // namespace batchscope::engines
