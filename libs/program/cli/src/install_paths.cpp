#include "install_paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "shell_commands.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

fs::path running_program() {
  std::error_code unreadable;
  const fs::path path = fs::read_symlink("/proc/self/exe", unreadable);
  return path.empty() ? "batchscope" : path;
}

std::vector<fs::path> paths_in(const char* list) {
  const auto named = base::kept(base::split(list, ':'), [](auto path) { return !path.empty(); });
  return {named.begin(), named.end()};
}

}  // namespace

api::Program this_program() {
  api::Program program = api::program_beside(running_program());
  if (const char* paths = std::getenv("BATCHSCOPE_PLUGIN_PATH")) {
    const std::vector<fs::path> first = paths_in(paths);
    program.places.plugins.insert(program.places.plugins.begin(), first.begin(), first.end());
  }
  const char* models = std::getenv("BATCHSCOPE_MODELS");
  if (models != nullptr && *models != '\0') {
    program.places.models = {models};
  } else {
    program.places.models.insert(program.places.models.begin(), "models");
  }
  const char* interpreter = std::getenv("BATCHSCOPE_PYTHON");
  if (interpreter != nullptr && *interpreter != '\0') program.interpreter = {interpreter};
  program.commands = shell_commands();
  return program;
}

engine::InstallPaths own_places() {
  return this_program().places;
}

api::Program this_program(Interrupt& interrupt) {
  api::Program program = this_program();
  program.stop = interrupt.token();
  program.before_measuring = [&interrupt] { interrupt.watch(); };
  return program;
}

api::Program with_interpreter(api::Program program, const std::string& path) {
  if (!path.empty()) program.interpreter = {path};
  return program;
}

api::Program telling(api::Program program, const base::Log& log) {
  program.tell = [log](const std::string& line) { log.info(line); };
  return program;
}

}  // namespace batchscope::cli
