#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::findings {

// What the program tells of findings and their numbers when it is asked for it: `batchscope help
// findings`, `batchscope help metrics`, and each kind of finding by its id.

// The two, then the ids in the order of the catalogue.
std::vector<std::string> help_topics();
// In Markdown; empty for what is none of them.
std::string help_on(std::string_view topic);

}  // namespace batchscope::findings
