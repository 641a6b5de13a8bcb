#include "cgroup_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace batchscope::host {
namespace {

base::Error system_error(const std::string& what, const std::filesystem::path& where, int number) {
  return {base::ErrorKind::failed, what + ": " + std::strerror(number), where.string(), {}};
}

class SystemCgroupFiles : public CgroupFiles {
 public:
  explicit SystemCgroupFiles(const base::SystemRoot& root) : root_(root) {}

  base::Result<void> make_group(const std::filesystem::path& group) override {
    if (mkdir(root_.resolve(group).c_str(), 0755) == 0) return {};
    return system_error("cannot create a cgroup", group, errno);
  }

  bool remove_group(const std::filesystem::path& group) override {
    return rmdir(root_.resolve(group).c_str()) == 0 || errno == ENOENT;
  }

  base::Result<void> write(const std::filesystem::path& file, std::string_view text) override {
    // No O_CREAT: a control file is there or the controller is not.
    const int fd = open(root_.resolve(file).c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return system_error("cannot open", file, errno);
    const ssize_t written = ::write(fd, text.data(), text.size());
    const int number = written < 0 ? errno : EIO;
    close(fd);
    if (written == static_cast<ssize_t>(text.size())) return {};
    return system_error("cannot write", file, number);
  }

  std::string read(const std::filesystem::path& file) const override {
    return root_.read_trimmed(file);
  }
  bool exists(const std::filesystem::path& file) const override { return root_.exists(file); }
  std::vector<std::string> list(const std::filesystem::path& group) const override {
    return root_.list(group);
  }
  std::filesystem::path real_path(const std::filesystem::path& file) const override {
    return root_.resolve(file);
  }

 private:
  base::SystemRoot root_;
};

}  // namespace

std::shared_ptr<CgroupFiles> system_cgroup_files(const base::SystemRoot& root) {
  return std::make_shared<SystemCgroupFiles>(root);
}

}  // namespace batchscope::host
