#include "places.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

fs::path running_program() {
  std::error_code unreadable;
  fs::path path = fs::read_symlink("/proc/self/exe", unreadable);
  return unreadable ? fs::path() : path;
}

void put_before(std::vector<fs::path>& folders, const std::vector<fs::path>& first) {
  folders.insert(folders.begin(), first.begin(), first.end());
}

std::vector<fs::path> paths_in(const char* list) {
  const auto named = base::kept(base::split(list, ':'), [](auto path) { return !path.empty(); });
  return {named.begin(), named.end()};
}

}  // namespace

engine::Places own_places() {
  const fs::path program = running_program();
  engine::Places places = program.empty() ? engine::Places() : engine::places_beside(program);
  if (const char* paths = std::getenv("BATCHSCOPE_PLUGIN_PATH")) {
    put_before(places.plugins, paths_in(paths));
  }
  const char* models = std::getenv("BATCHSCOPE_MODELS");
  if (models != nullptr && *models != '\0') {
    places.models = {models};
  } else {
    put_before(places.models, {"models"});
  }
  return places;
}

api::Program this_program() {
  const fs::path path = running_program();
  api::Program program = api::program_beside(path.empty() ? "batchscope" : path);
  program.places = own_places();
  program.spelling = flag_of;
  return program;
}

api::Program this_program(Interrupt& interrupt) {
  api::Program program = this_program();
  program.stop = interrupt.token();
  program.before_measuring = [&interrupt] { interrupt.watch(); };
  return program;
}

}  // namespace batchscope::cli
