#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "batchscope/trace/reader.hpp"
#include "check_trace.hpp"

namespace {

// SQLite opens files by name only. One file, gone at the end, takes all inputs one after another.
class File {
 public:
  File() {
    const std::filesystem::path memory = "/dev/shm";
    const auto folder =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    path_ = (folder / "batchscope-fuzz-XXXXXX").string();
    fd_ = mkstemp(path_.data());
    if (fd_ < 0) __builtin_trap();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    unlink(path_.c_str());
    close(fd_);
  }

  const std::string& holding(const uint8_t* data, size_t size) const {
    const bool is_written =
        ftruncate(fd_, 0) == 0 && pwrite(fd_, data, size, 0) == static_cast<ssize_t>(size);
    if (!is_written) __builtin_trap();
    return path_;
  }

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace

// Whatever stands in a file that begins as SQLite's: reading it ends in a trace or an error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const File file;
  batchscope::trace::ReadOptions options;
  options.threads = 1;
  options.most_bytes = 16 << 20;
  options.most_activities = 20'000;
  const auto read = batchscope::trace::TraceReader(options).read(file.holding(data, size));
  if (read) check_trace(*read);
  return 0;
}
