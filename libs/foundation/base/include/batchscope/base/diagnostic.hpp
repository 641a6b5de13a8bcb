#pragma once

#include <string>
#include <string_view>

namespace batchscope::base {

// What is told of a thing, whoever tells it: an error, an event of a run, a check of the machine, a
// finding. Each says with `Where` what its places are.
template <class Where>
struct Diagnostic {
  std::string what;  // what happened, or what holds
  Where where{};
  std::string fix;  // what mends it; empty where there is nothing to do
};

// "where: what (fix)" in one line, leaving out what is empty.
std::string in_one_line(std::string_view where, std::string_view what, std::string_view fix = {});

}  // namespace batchscope::base
