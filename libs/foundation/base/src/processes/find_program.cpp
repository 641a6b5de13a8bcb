#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"

namespace batchscope::base {
namespace {

bool is_program(const std::filesystem::path& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<std::filesystem::path> find_program(std::string_view name) {
  if (name.find('/') != std::string_view::npos) {
    std::filesystem::path path(name);
    if (is_program(path)) return path;
    return Error{ErrorKind::failed, "is not an executable program", std::string(name), ""};
  }
  const char* folders = std::getenv("PATH");
  for (const std::string_view folder : split(folders == nullptr ? "/usr/bin:/bin" : folders, ':')) {
    std::filesystem::path path = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (!name.empty() && is_program(path)) return path;
  }
  return Error{ErrorKind::failed, fmt::format("the program '{}' is not installed", name), "",
               "install it, or add its folder to PATH"};
}

}  // namespace batchscope::base
