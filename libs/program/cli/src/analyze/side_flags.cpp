#include "side_flags.hpp"

namespace batchscope::cli {
namespace {

base::Error usage(const char* what, const char* flag, const char* fix) {
  return {base::ErrorKind::usage, what, flag, fix};
}

}  // namespace

void add_flags(CLI::App& app, SideFlags& flags) {
  app.add_option("--baseline", flags.baseline,
                 "runs of the old version, compared with --candidate; each run counts once");
  app.add_option("--candidate", flags.candidate, "runs of the new version");
  app.add_flag("--in-pairs", flags.in_pairs,
               "the sides took turns: the first run of each side together, and so on");
}

base::Result<std::vector<std::string>> run_paths(const std::vector<std::string>& runs,
                                                 const SideFlags& sides) {
  if (sides.any() && !runs.empty()) {
    return usage("excludes run files of neither side",
                 sides.baseline.empty() ? "--candidate" : "--baseline",
                 "put every run file after --baseline or --candidate");
  }
  if (sides.any() && sides.baseline.empty()) {
    return usage("has nothing to compare with", "--candidate", "add --baseline RUN...");
  }
  if (sides.any() && sides.candidate.empty()) {
    return usage("has nothing to compare with", "--baseline", "add --candidate RUN...");
  }
  if (sides.in_pairs && (!sides.any() || sides.baseline.size() != sides.candidate.size())) {
    return usage("needs the same number of runs on both sides", "--in-pairs",
                 "list the runs after --baseline and --candidate in the order of measurement");
  }
  if (!sides.any() && runs.empty()) return usage("is required", "RUN", "name a run file");
  std::vector<std::string> all = sides.any() ? sides.baseline : runs;
  all.insert(all.end(), sides.candidate.begin(), sides.candidate.end());
  return all;
}

}  // namespace batchscope::cli
