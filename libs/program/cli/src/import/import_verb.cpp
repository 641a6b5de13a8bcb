#include <utility>

#include "batchscope/api/import.hpp"
#include "batchscope/base/counted.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "output.hpp"

namespace batchscope::cli {
int import_verb(const std::vector<std::string>& arguments) {
  std::string table;
  Output output;
  csv::ImportOptions options;
  Command command("import",
                  "Turn a table of measurements (separated by commas, tabs or semicolons) into a "
                  "run file. Columns: batch or batch_size; latency_X or time_X with X = ns, us, "
                  "ms, s (or throughput_per_s); std_X (or std_per_s) and repeats, for intervals; "
                  "memory_X with X = bytes, MB, MiB, GB, GiB; seq_len, model, precision, device, "
                  "threads. Lines such as '1: 50.30 ms' work, too.");
  command.app().add_option("TABLE", table, "the table, or lines printed by a script")->required();
  command.app().add_option("-o,--output", output.path,
                           "run file to write (default: TABLE with .jsonl)");
  command.app().add_flag("--overwrite", output.overwrite, "replace the output if it exists");
  command.app().add_option("-m,--model", options.model,
                           "name of the model (default: the table's name)");
  command.app().add_option("--precision", options.precision,
                           "precision, if the table has no such column (default: not stated)");
  command.app().add_option("--device", options.device, "value for a table without this column");
  command.app()
      .add_option("--threads", options.threads, "value for a table without this column")
      ->check(CLI::Range(1, 100'000));
  command.app().add_option(
      "--unit", options.unit,
      "unit of times without one, such as a column 'time' or lines '1: 50.30' (default: ms)");
  command.app()
      .add_option("--ignore", options.ignore,
                  "column that is not a setting, so repeats may differ in it (repeatable)")
      ->expected(1)
      ->type_name("COLUMN")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log();
  const std::filesystem::path path(table);
  if (output.path.empty()) output.path = std::filesystem::path(path).replace_extension(".jsonl");
  if (auto distinct = check_distinct(output, path); !distinct) return fail(log, distinct.error());
  if (auto writable = check_writable(output); !writable) return fail(log, writable.error());
  std::vector<std::string> command_line{"batchscope", "import"};
  command_line.insert(command_line.end(), arguments.begin(), arguments.end());
  const auto run = api::import_table(this_program(), path, options, std::move(command_line));
  if (!run) return fail(log, run.error());
  for (const schema::Event& event : run->events) log.warning(event.what);
  for (const std::string& note : run->header.notes) log.info("note: " + note);
  if (auto written = write_output(output, schema::run_file_text(*run)); !written) {
    return fail(log, written.error());
  }
  log.info(output.path.string() + ": " + base::counted(run->visits.size(), "measurement") + " of " +
           base::counted(run->configs.size(), "configuration") + "; next: batchscope analyze " +
           output.path.string());
  return kDone;
}

}  // namespace batchscope::cli
