#include "batchscope/trace/recording.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "batchscope/base/file.hpp"
#include "byte_source.hpp"
#include "compress.hpp"

namespace batchscope::trace {
namespace {

namespace fs = std::filesystem;

base::Error cannot(std::string_view what, const std::string& why, const fs::path& where) {
  return base::Error{base::ErrorKind::failed, std::string(what) + ": " + why, where.string(), ""};
}

}  // namespace

Recording::Recording(fs::path folder, fs::path kept)
    : folder_(std::move(folder)), file_(folder_ / "recording.json"), kept_(std::move(kept)) {}

// A folder, because recorders write beside their file before they give it its name.
base::Result<Recording> Recording::begin(const fs::path& kept) {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (!kept.empty()) {
    parent = kept.parent_path();
    if (!parent.empty()) fs::create_directories(parent, error);
  }
  if (error) return cannot("no folder for a recording", error.message(), parent);
  std::string folder = (parent / ".recording-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return cannot("no folder for a recording", std::generic_category().message(errno), parent);
  }
  return Recording(std::move(folder), kept);
}

Recording::Recording(Recording&& other) noexcept
    : folder_(std::exchange(other.folder_, {})),
      file_(std::move(other.file_)),
      kept_(std::move(other.kept_)) {}

Recording::~Recording() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

base::Result<void> Recording::keep() const {
  const auto source = open_file(file_);
  if (!source) return source.error();
  const std::string content = gzipped(**source);
  if (!(*source)->damage().empty()) {
    return cannot("the recording is lost", (*source)->damage(), kept_);
  }
  return base::write_file_atomically(kept_, content);
}

}  // namespace batchscope::trace
