#pragma once

#include <filesystem>

#include "batchscope/base/result.hpp"

namespace batchscope::trace {

// The file that a recorder of this process leaves its trace in, until it is read and, where that is
// wanted, kept: what it writes is ten times as long as what is kept. Goes with the object.
class RecordingFile {
 public:
  // Beside the file that is to be kept, so that one disk has room for it or not; where that is
  // empty, among the temporary files. Errors: failed (no such place can be written to).
  static base::Result<RecordingFile> begin(const std::filesystem::path& kept);

  RecordingFile(RecordingFile&& other) noexcept;
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(RecordingFile&&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;
  ~RecordingFile();

  // Where the recorder writes to; it replaces what is there.
  const std::filesystem::path& file() const { return file_; }
  // Compressed by gzip, as the file that is to be kept, whole or not at all; replaces that. Errors:
  // failed (the recording cannot be read, the disk is full).
  base::Result<void> keep() const;

  // What a process that died in the middle left of a recording for that file, and the file.
  static void discard(const std::filesystem::path& kept);

 private:
  RecordingFile(std::filesystem::path folder, std::filesystem::path kept);

  std::filesystem::path folder_;  // its own; empty: moved away
  std::filesystem::path file_;
  std::filesystem::path kept_;
};

}  // namespace batchscope::trace
