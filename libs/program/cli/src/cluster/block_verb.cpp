#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

#include "batchscope/api/cluster.hpp"
#include "batchscope/cluster/conditions.hpp"
#include "batchscope/cluster/refusals.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "progress/progress.hpp"

namespace batchscope::cli {
namespace {

// Engines leave the processes of a worker that was killed running, beside those that it is
// replaced by. The pipe that it held closes with it.
void end_with_standard_input() {
  std::thread([] {
    char dropped[256];
    ssize_t count = 0;
    do {
      count = read(STDIN_FILENO, dropped, sizeof dropped);
    } while (count > 0 || (count < 0 && errno == EINTR));
    _exit(kInterrupted);  // its workers die with it
  }).detach();
}

std::string_view word_of(api::BlockOutcome outcome) {
  switch (outcome) {
    case api::BlockOutcome::measured:
      return "measured";
    case api::BlockOutcome::there_already:
      return "there already";
    case api::BlockOutcome::dropped:
      break;
  }
  return "dropped: another process was first";
}

}  // namespace

int block_verb(const std::vector<std::string>& arguments) {
  std::string folder;
  std::vector<int> blocks;
  bool quiet = false, ends_with_input = false;
  Command command(
      "block",
      "Measure blocks of a job on this machine, each into a part of its own, parts/INDEX.jsonl. "
      "A part that is there is kept. Exit code 1: try again; 2 and 3: trying again does not help.");
  command.app().add_option("DIR", folder, "the folder that profile --job wrote")->required();
  command.app()
      .add_option("INDEX", blocks, "blocks, from 0; 0 and 1 come before all others")
      ->required();
  command.app().add_flag("--end-with-stdin", ends_with_input,
                         "end when standard input closes, for engines that may leave it running");
  command.app().add_flag("-q,--quiet", quiet, "print warnings and errors only");
  command.examples(
      {"batchscope profile -m distilbert -b 1,2,4,8 --threads 8 --blocks 12 --job study",
       "seq 0 11 | xargs -n1 batchscope block study", "batchscope merge study -o run.jsonl"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(quiet);
  cluster::reset_process(base::SystemRoot());
  Interrupt interrupt(log);
  ProgressPrinter progress(log, /*terminal=*/false);
  if (ends_with_input) end_with_standard_input();
  int worst = kDone;
  for (const int block : blocks) {
    const auto made = api::measure_block(this_program(interrupt), folder, block, &progress);
    if (made) {
      log.info("block " + std::to_string(block) + ": " + std::string(word_of(*made)));
      continue;
    }
    const int code = fail(log, made.error());
    if (code == kUsage || code == kInput) cluster::tell_refusal(folder, block, made.error());
    if (code != kFailed) return code;
    worst = code;
  }
  return worst;
}

}  // namespace batchscope::cli
