#include "batchscope/base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace batchscope::base {

std::string to_string(const Error& error) {
  std::string text = error.where;
  if (!text.empty() && !error.what.empty()) text += ": ";
  text += error.what;
  if (!error.fix.empty()) text += text.empty() ? error.fix : " (" + error.fix + ")";
  return text;
}

void abort_on_error_access(const Error* error) {
  if (error != nullptr) {
    std::fprintf(stderr, "batchscope: value of a failed result was used: %s\n",
                 to_string(*error).c_str());
  } else {
    std::fputs("batchscope: error of a successful result was used\n", stderr);
  }
  std::abort();
}

}  // namespace batchscope::base
