#pragma once

#include <map>
#include <string>
#include <string_view>

namespace batchscope::privacy {

// A name of one or two letters ("a"), or one that is a word of reports too ("cpu"): to take it out
// wherever it stands would take out what a reader needs.
bool is_ambiguous_name(std::string_view name);

// Takes ambiguous names out where a user or a host is named: behind ~, on either side of @, in
// quotes, as a part of a path or a version ("6.1.0-a"), behind "user", "host", "on", "by", "of" and
// the like, and where it is all there is. `names`: and what stands there instead.
std::string without_short_names(std::string_view text,
                                const std::map<std::string, std::string>& names);

}  // namespace batchscope::privacy
