#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/base/unique_fd.hpp"

// Event files, as TensorBoard reads them.
namespace batchscope::exporter {

// A number under its name in TensorBoard: "training/loss". Event files hold it as a 32-bit float,
// as TensorFlow and PyTorch write scalars: about 7 digits, and beyond 3.4e38 infinite.
struct Scalar {
  std::string tag;
  double value = 0;
};

// A file of events that grows. Each record is one write, so that a reader sees whole ones only, and
// a process that is killed leaves such: but for a last one that lies on two pages, between which
// Linux ends the write of a killed process. Nothing is synced to disk, as what TensorFlow writes is
// not.
class EventFile {
 public:
  // A new file in `folder`, which is made where it is absent:
  // "events.out.tfevents.SECONDS.HOST.PID.NUMBER" and `suffix` after it, of which characters that
  // do not belong into a name become '_'. The time is that of the machine's wall clock, in
  // nanoseconds since the epoch. Errors: failed (no such folder can be made, read-only, disk full).
  static base::Result<EventFile> create(const std::filesystem::path& folder,
                                        std::string_view suffix, int64_t wall_time_ns);

  // One record of all of them, `time_ns` as at the beginning; none: nothing is written. Tags may be
  // any text. Errors: failed (disk full), after which the file is as it was before, and later
  // records may succeed.
  base::Result<void> add_scalars(int64_t step, int64_t time_ns, std::span<const Scalar> scalars);

  const std::filesystem::path& path() const { return path_; }

 private:
  EventFile(base::UniqueFd fd, std::filesystem::path path);
  base::Result<void> append(std::string_view event);

  base::UniqueFd fd_;
  std::filesystem::path path_;
  int64_t size_ = 0;  // of the whole records in it
};

}  // namespace batchscope::exporter
