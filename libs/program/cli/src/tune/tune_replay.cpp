#include <fmt/format.h>

#include "command.hpp"
#include "install_paths.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {

int tune_by_replay(const TuneFlags& flags, const base::Log& log) {
  const auto options = read_replay_options(flags);
  if (!options) return fail(log, options.error());
  const auto tell = [&](const tune::Suggestion& ask, const schema::RunConfig& config) {
    if (!flags.explain) return;
    log.info(
        fmt::format("{}: {}: {}", to_string(ask.stage), tune::setting_words(config), ask.reason));
  };
  const auto tuning = api::replay(this_program(), *options, tell);
  if (!tuning) return fail(log, tuning.error());
  return print_result(*tuning, {}, flags, log);
}

}  // namespace batchscope::cli
