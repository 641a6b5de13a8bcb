#pragma once

#include <filesystem>
#include <optional>

#include "batchscope/api/program.hpp"
#include "batchscope/api/tune.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/measure/observer.hpp"

namespace batchscope::api {

// $XDG_CACHE_HOME/batchscope, else ~/.cache/batchscope; empty without a home.
std::filesystem::path default_cache_folder();

// Wall time of a service's first start on a machine, where no budget is stated.
inline constexpr double kAutotuneBudgetS = 30;

struct AutotuneOptions {
  TuneOptions tune{};  // its run file is the one that is kept, whatever `file` says
  std::filesystem::path cache = default_cache_folder();
  // Taken at once where another process measures the same; absent: that one is waited for, and a
  // stop that is asked for meanwhile is heard once it is done.
  std::optional<schema::RunConfig> fallback{};
};

enum class SettingSource {
  measured,  // just now
  cache,     // by an earlier start
  fallback   // the one that was given
};

// How to run a model.
struct Autotuned {
  SettingSource source = SettingSource::measured;
  // The setting with its figures: those of its fresh visits, where it has some. Of a fallback the
  // configuration alone.
  findings::TunedPoint setting{};
  bool verified = false;        // as in Tuning
  findings::Answer answer{};    // in words; nothing of a fallback
  std::filesystem::path run{};  // what was measured, for `report`; empty where nothing is kept
  int points_measured = 0, points_total = 0;  // of the grid
  // Why the search ended. `budget`: it was not over, and nothing is verified; the next call goes
  // on.
  schema::OpenEnum<schema::EndReason> end_reason{};
};

// The setting for the start of a service: tune(), once for each machine, model, version and
// options. The run file is kept in the cache under a name made of all these, so a change of any
// measures anew; processes may share the folder. One that was killed in the middle, or that the
// budget ended, is gone on with, by the budget once more.
// A cache that cannot be written is told (Program::tell), and the setting measured without it.
// Errors: as tune, failed (nothing could be measured), interrupted.
base::Result<Autotuned> autotune(const Program& program, const AutotuneOptions& options,
                                 measure::Observer* observer = nullptr);

}  // namespace batchscope::api
