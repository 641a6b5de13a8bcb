#include "batchscope/api/program.hpp"

#include "batchscope/capacity/oom_limits.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/engines/interpreted_engine.hpp"
#include "batchscope/engines/text_engine.hpp"

namespace batchscope::api {

Program program_beside(const std::filesystem::path& executable) {
  Program program;
  program.places = engine::places_beside(executable);
  program.worker = executable.string();
  program.ceilings = capacity::default_ceilings_file();
  program.version = BATCHSCOPE_VERSION;
  return program;
}

base::Result<std::unique_ptr<engine::Engine>> load_engine(const Program& program,
                                                          std::string_view name) {
  const auto described = engine::find_description(name, program.places);
  if (described && described->interpreted) {
    return engines::make_interpreted_engine(program.interpreter);
  }
  return engines::load_engine(name.empty() ? engine::own_engines().front().name : name,
                              program.places);
}

}  // namespace batchscope::api
