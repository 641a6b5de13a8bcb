#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace batchscope::base {

// The first whole line of `buffer`, taken out of it without its '\n'. `searched` remembers how far
// the search came, so that a long line arriving in pieces is looked at once.
std::optional<std::string> take_line(std::string& buffer, size_t& searched);

// Reads once and appends. Returns the count as read() does: 0 at the end, -1 with errno set.
ssize_t append_from(int fd, std::string& buffer);

}  // namespace batchscope::base
