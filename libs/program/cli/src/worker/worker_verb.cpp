#include <unistd.h>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/measure/worker.hpp"
#include "command.hpp"
#include "install_paths.hpp"

namespace batchscope::cli {

// Hidden: what `profile` starts for every visit, connected to it by a socket.
int worker_verb(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    return fail(make_log(), {base::ErrorKind::usage,
                             "profile starts workers; do not start one by hand", "worker", ""});
  }
  const api::Program program = this_program();
  const int code = measure::worker_main(
      base::kChildSocket, [&](std::string_view name) { return api::load_engine(program, name); });
  // Tearing down a framework takes time and tells nothing.
  _exit(code);
}

}  // namespace batchscope::cli
