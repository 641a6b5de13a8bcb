#include "command.hpp"
#include "merged_output.hpp"

namespace batchscope::cli {

int merge_verb(const std::vector<std::string>& arguments) {
  std::string folder;
  Output output;
  Command command(
      "merge",
      "Make one run file of the parts of a job, any time, again and again; names blocks "
      "that are missing.");
  command.app().add_option("DIR", folder, "the folder that profile --job wrote")->required();
  command.app().add_option("-o,--output", output.path, "run file to write")->required();
  command.app().add_flag("--overwrite", output.overwrite,
                         "replace a file that merge did not write");
  command.examples({"batchscope merge study -o run.jsonl"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  if (auto replaces = check_replaces_merged(output); !replaces) return fail(log, replaces.error());
  const auto job = cluster::read_job(folder);
  if (!job) return fail(log, job.error());
  const auto written = write_merged(folder, *job, output, log);
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace batchscope::cli
