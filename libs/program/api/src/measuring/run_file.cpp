#include "run_file.hpp"

#include <filesystem>
#include <system_error>

namespace batchscope::api {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<measure::RunOutput> take_run_file(const RunFileOptions& file) {
  // Nothing is gone on with where nothing is: then what there is of an earlier run stays, too.
  std::error_code none;
  const bool goes_on = file.resume && std::filesystem::file_size(file.path, none) > 0 && !none;
  if (goes_on || file.overwrite) return measure::RunOutput::open(file.path);
  auto made = measure::RunOutput::create(file.path);
  if (made || made.error().kind != ErrorKind::usage) return made;
  Error error = made.error();
  error.fix = "name another file with -o, or add --on-existing overwrite";
  return error;
}

bool can_only_be_read(const RunFileOptions& file) {
  std::error_code ignored;
  return file.resume && std::filesystem::is_regular_file(file.path, ignored);
}

}  // namespace batchscope::api
