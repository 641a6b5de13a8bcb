#include "batchscope/base/system_root.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::base {

std::filesystem::path SystemRoot::resolve(const std::filesystem::path& path) const {
  return root_ / path.relative_path();
}

Result<std::string> SystemRoot::read(const std::filesystem::path& path) const {
  return read_file(resolve(path));
}

std::string SystemRoot::read_trimmed(const std::filesystem::path& path) const {
  auto text = read(path);
  if (!text) return {};
  return std::string(trim(*text));
}

bool SystemRoot::exists(const std::filesystem::path& path) const {
  std::error_code ignored;
  return std::filesystem::exists(resolve(path), ignored);
}

bool SystemRoot::write(const std::filesystem::path& path, std::string_view text) const {
  const int fd = open(resolve(path).c_str(), O_WRONLY | O_CLOEXEC);
  const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == std::ssize(text);
  if (fd >= 0) close(fd);
  return written;
}

std::vector<std::string> SystemRoot::list(const std::filesystem::path& path) const {
  std::vector<std::string> names;
  std::error_code failure;
  std::filesystem::directory_iterator entry(resolve(path), failure);
  for (const std::filesystem::directory_iterator end; !failure && entry != end;
       entry.increment(failure)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace batchscope::base
