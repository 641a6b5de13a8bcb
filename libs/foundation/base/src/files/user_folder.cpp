#include "batchscope/base/user_folder.hpp"

#include <cstdlib>

namespace batchscope::base {
namespace {

std::filesystem::path from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path user_folder(const char* variable, std::string_view below_home) {
  std::filesystem::path stated = from_environment(variable);
  if (stated.is_absolute()) return stated;
  const std::filesystem::path home = from_environment("HOME");
  return home.empty() ? home : home / below_home;
}

}  // namespace batchscope::base
