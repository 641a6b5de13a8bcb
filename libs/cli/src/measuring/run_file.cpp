#include "run_file.hpp"

#include <filesystem>
#include <system_error>

namespace batchscope::cli {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<void> choose_run_file(Output& output, std::string_view otherwise) {
  if (output.path.empty()) output.path = otherwise;
  if (output.path != "-") return {};
  return Error{ErrorKind::usage, "a run file is a file, so that a run can go on with it", "-o -",
               "name a file"};
}

Result<measure::RunOutput> take_run_file(const Output& output, bool goes_on) {
  if (goes_on || output.overwrite) return measure::RunOutput::open(output.path);
  auto made = measure::RunOutput::create(output.path);
  if (made || made.error().kind != ErrorKind::usage) return made;
  Error error = made.error();
  error.fix = kExistsFix;
  return error;
}

bool can_only_be_read(const Output& output, bool goes_on) {
  std::error_code ignored;
  return goes_on && std::filesystem::is_regular_file(output.path, ignored);
}

}  // namespace batchscope::cli
