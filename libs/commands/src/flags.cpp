#include "batchscope/commands/flags.hpp"

#include <algorithm>

namespace batchscope::commands {

using base::Subject;

std::string flag_of(Subject subject) {
  return flag_named(base::name_in_table(subject));
}

std::string flag_named(std::string_view name) {
  const auto is = [&](Subject subject) { return name == base::name_in_table(subject); };
  if (is(Subject::models)) return "-m";
  if (is(Subject::environment)) return "--env";
  if (is(Subject::normalize)) return "--no-normalize";
  if (is(Subject::output)) return "-o";
  std::string flag(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return "--" + flag;
}

}  // namespace batchscope::commands
