#include <array>
#include <csignal>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/commandline/program.hpp"
#include "batchscope/commandline/standard_streams.hpp"
#include "batchscope/engine/model_store.hpp"
#include "command.hpp"
#include "install_paths.hpp"

namespace batchscope::cli {
namespace {

using commandline::ProgramDescription;
using commandline::VerbRow;

// Help and completion follow from this and from the flags of each.
constexpr std::array kVerbs{
    VerbRow{"profile", profile_verb,
            "measure a model over batch sizes and other axes; writes a run file"},
    VerbRow{"analyze", analyze_verb,
            "scaling table, anomalies, comparisons and charts from run files"},
    VerbRow{"compare", compare_verb,
            "whether a new version is slower than an old one: models, runs or baselines"},
    VerbRow{"baseline save", baseline_save_verb, "save runs under a name, with machine and commit"},
    VerbRow{"baseline list", baseline_list_verb, "the saved baselines"},
    VerbRow{"baseline compare", baseline_compare_verb,
            "whether runs of a new version are slower than a saved baseline"},
    VerbRow{"trend", trend_verb,
            "how times developed over the runs of commits, and where they changed"},
    VerbRow{"tune", tune_verb,
            "find the best setting with few measurements and verify it; --replay searches a table"},
    VerbRow{"report", report_verb, "everything about a run on one page: HTML or Markdown"},
    VerbRow{"trace", trace_verb,
            "where the GPU's time went in a trace of torch.profiler or Nsight, and what to change"},
    VerbRow{"monitor", monitor_verb,
            "watch GPUs, the machine and a training loop: what is wrong, for people and for "
            "Prometheus"},
    VerbRow{"plan", plan_verb,
            "the batching policy, its settings and the number of instances for a given load"},
    VerbRow{"noise-scale", noise_scale_verb,
            "where larger batches stop helping training, from the noise of the gradients"},
    VerbRow{"block", block_verb, "measure blocks of a job of `profile --job`, on any machine"},
    VerbRow{"merge", merge_verb, "make one run file of the blocks of a job"},
    VerbRow{"import", import_verb, "turn a CSV table measured elsewhere into a run file"},
    VerbRow{"doctor", doctor_verb,
            "what works on this machine, and how small a difference it can show"},
    VerbRow{"embed", embed_verb, "the vectors of texts, to compare with your own pipeline"},
    VerbRow{"chart", chart_verb, ""},
    VerbRow{"worker", worker_verb, ""},
};

// Of the usual engine's own models, where it is installed, and of the models folder.
std::string model_names() {
  std::string names;
  const auto engine = api::load_engine(this_program(), api::engines_for({}, own_places()).front());
  if (engine) {
    for (const auto& model : (*engine)->models()) names += model.name + "\n";
  }
  for (const auto& model : engine::stored_models(own_places())) names += model.name + "\n";
  return names;
}

std::vector<std::string> help_topics() {
  return findings::help_topics(api::catalogue());
}

std::string help_on(std::string_view topic) {
  return findings::help_on(topic, api::catalogue());
}

commandline::Interface interface() {
  ProgramDescription about;
  about.name = "batchscope";
  about.version = BATCHSCOPE_VERSION;
  about.tells = "find the batch size at which a model runs best, know why, and prove it";
  about.examples = {"batchscope profile -m distilbert -b 1,2,4,8 -o results/run.jsonl",
                    "batchscope analyze results/run.jsonl --charts", "batchscope help findings"};
  about.groups = kFlagGroups;
  return {std::move(about), kVerbs, model_names, {help_topics, help_on}};
}

}  // namespace
}  // namespace batchscope::cli

int main(int argc, char** argv) {
  namespace commandline = batchscope::commandline;
  commandline::hold_standard_streams();
  // A reader that goes away (| head) must not end a run that measures: what is printed after that
  // is dropped, and the exit code tells at the end.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that reached the limit on its size is a failed write with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  const int code = commandline::run(batchscope::cli::interface(), {argv + 1, argv + argc});
  const bool dropped = code == commandline::kDone && commandline::reader_left();
  return dropped ? static_cast<int>(commandline::kReaderLeft) : code;
}
