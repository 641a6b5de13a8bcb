#include "batchscope/trace/recording_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "batchscope/base/file.hpp"
#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/compress.hpp"

namespace batchscope::trace {
namespace {

namespace fs = std::filesystem;

base::Error cannot(std::string_view what, const std::string& why, const fs::path& where) {
  return base::Error{base::ErrorKind::failed, std::string(what) + ": " + why, where.string(), ""};
}

// One recording at a time is made for a file: what is there was left behind.
base::Result<fs::path> folder_beside(const fs::path& kept) {
  fs::path folder = kept;
  folder += ".recording";
  std::error_code error;
  fs::remove_all(folder, error);
  fs::create_directories(folder, error);
  if (error) return cannot("no folder for a recording", error.message(), folder);
  return folder;
}

base::Result<fs::path> passing_folder() {
  std::error_code ignored;
  std::string folder = (fs::temp_directory_path(ignored) / "batchscope-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return cannot("no folder for a recording", std::generic_category().message(errno), folder);
  }
  return fs::path(folder);
}

}  // namespace

RecordingFile::RecordingFile(fs::path folder, fs::path kept)
    : folder_(std::move(folder)), file_(folder_ / "recording.json"), kept_(std::move(kept)) {}

// A folder, because recorders write beside their file before they give it its name.
base::Result<RecordingFile> RecordingFile::begin(const fs::path& kept) {
  auto folder = kept.empty() ? passing_folder() : folder_beside(kept);
  if (!folder) return std::move(folder).error();
  return RecordingFile(*std::move(folder), kept);
}

void RecordingFile::discard(const fs::path& kept) {
  std::error_code ignored;
  fs::remove(kept, ignored);
  fs::path folder = kept;
  folder += ".recording";
  fs::remove_all(folder, ignored);
}

RecordingFile::RecordingFile(RecordingFile&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      file_(std::move(other.file_)),
      kept_(std::move(other.kept_)) {}

RecordingFile::~RecordingFile() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

base::Result<void> RecordingFile::keep() const {
  const auto source = bytes::open_file(file_);
  if (!source) return source.error();
  const std::string content = bytes::gzipped(**source);
  if (!(*source)->damage().empty()) {
    return cannot("the recording is lost", (*source)->damage(), kept_);
  }
  return base::write_file_atomically(kept_, content);
}

}  // namespace batchscope::trace
