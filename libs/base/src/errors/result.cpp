#include "batchscope/base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace batchscope::base {

std::string place_of(const Error& error) {
  const bool named = error.where.empty() && error.subject != Subject::none;
  return named ? mention(error.subject) : error.where;
}

std::string to_string(const Error& error, Spelling spelling) {
  std::string text = place_of(error);
  if (!text.empty() && !error.what.empty()) text += ": ";
  text += error.what;
  if (!error.fix.empty()) text += text.empty() ? error.fix : " (" + error.fix + ")";
  return spell(text, spelling);
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
