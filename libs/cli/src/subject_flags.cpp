#include "subject_flags.hpp"

#include <algorithm>

namespace batchscope::cli {

std::string flag_of(base::Subject subject) {
  if (subject == base::Subject::models) return "-m";
  if (subject == base::Subject::environment) return "--env";
  if (subject == base::Subject::output) return "-o";
  std::string name = base::name_of(subject);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

}  // namespace batchscope::cli
