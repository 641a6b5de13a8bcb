#include "subject_flags.hpp"

#include <algorithm>

namespace batchscope::cli {

using base::Subject;

std::string flag_of(Subject subject) {
  if (subject == Subject::models) return "-m";
  if (subject == Subject::environment) return "--env";
  if (subject == Subject::normalize) return "--no-normalize";
  if (subject == Subject::output) return "-o";
  std::string name = base::name_of(subject);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

}  // namespace batchscope::cli
