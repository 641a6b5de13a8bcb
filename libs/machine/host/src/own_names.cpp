#include "batchscope/host/own_names.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace batchscope::host {

std::vector<std::string> own_names() {
  std::vector<std::string> names;
  if (const passwd* user = getpwuid(getuid())) names.emplace_back(user->pw_name);
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) names.emplace_back(host.data());
  return names;
}

}  // namespace batchscope::host
