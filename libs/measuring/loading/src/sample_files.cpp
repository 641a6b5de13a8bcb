#include "batchscope/loading/sample_files.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include "batchscope/base/file.hpp"
#include "made_up_files.hpp"

namespace batchscope::loading {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

}  // namespace

Result<std::unique_ptr<SampleFiles>> SampleFiles::open(const SampleSource& source,
                                                       std::span<const engine::InputSpec> inputs,
                                                       uint64_t seed) {
  std::unique_ptr<SampleFiles> files(new SampleFiles());
  files->latency_ = source.latency;
  fs::path folder = source.folder;
  if (folder.empty()) {
    auto made = make_up_files(source, inputs, seed);
    if (!made) return std::move(made).error();
    files->made_up_ = *std::move(made);
    folder = files->made_up_->path();
  }
  if (auto listed = files->list(folder); !listed) return std::move(listed).error();
  return files;
}

SampleFiles::~SampleFiles() = default;

Result<void> SampleFiles::list(const fs::path& folder) {
  std::error_code failed;
  const auto options = fs::directory_options::follow_directory_symlink;
  fs::recursive_directory_iterator at(folder, options, failed);
  while (!failed && at != fs::recursive_directory_iterator()) {
    if (is_hidden(at->path()) && at->is_directory(failed)) at.disable_recursion_pending();
    if (!is_hidden(at->path()) && at->is_regular_file(failed)) paths_.push_back(at->path());
    at.increment(failed);
  }
  if (failed) {
    return Error{ErrorKind::input, failed.message(), folder.string(),
                 "give --loader a folder of files, or synthetic:256"};
  }
  if (paths_.empty()) {
    return Error{ErrorKind::input, "holds no file", folder.string(),
                 "put samples into it, one per file, or use --loader synthetic:256"};
  }
  std::sort(paths_.begin(), paths_.end());
  std::map<fs::path, int64_t> classes;
  for (const fs::path& path : paths_) {
    labels_.push_back(
        classes.emplace(path.parent_path(), static_cast<int64_t>(classes.size())).first->second);
  }
  return {};
}

Result<std::string> SampleFiles::read(std::size_t file) const {
  if (latency_.count() > 0) std::this_thread::sleep_for(latency_);
  return base::read_file(paths_[file]);
}

}  // namespace batchscope::loading
