#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "command.hpp"
#include "standard_streams.hpp"

namespace batchscope::cli {
namespace {

struct Verb {
  std::string_view name;
  VerbMain main;
  std::string_view tells;  // empty: hidden
};

constexpr std::array kVerbs{
    Verb{"profile", profile_verb,
         "measure a model over batch sizes and other axes; writes a run file"},
    Verb{"analyze", analyze_verb,
         "scaling table, anomalies, comparisons and charts from run files"},
    Verb{"tune", tune_verb,
         "find the setting to use with few measurements, verified; with --replay on a table"},
    Verb{"report", report_verb, "everything a run tells on one page: HTML or Markdown"},
    Verb{"plan", plan_verb,
         "which batching policy, with which settings, on how many instances, for a given load"},
    Verb{"noise-scale", noise_scale_verb,
         "where larger batches stop helping a training, from the noise of its gradients"},
    Verb{"import", import_verb, "make a run file out of a CSV table measured elsewhere"},
    Verb{"doctor", doctor_verb,
         "what works on this machine, and how small a difference it can show"},
    Verb{"embed", embed_verb, "the vectors of texts, to be held against your own pipeline"},
    Verb{"worker", worker_verb, ""},
};

void print_help() {
  fmt::print(
      "batchscope {}: find the batch size at which a model runs best, know why, and prove it\n\n",
      BATCHSCOPE_VERSION);
  fmt::print("Usage: batchscope VERB [flags]     (batchscope VERB --help tells the flags)\n\n");
  for (const Verb& verb : kVerbs) {
    if (!verb.tells.empty()) fmt::print("  {:<11} {}\n", verb.name, verb.tells);
  }
  fmt::print(
      "\nExample:\n"
      "  batchscope profile -m distilbert -b 1,2,4,8 -o results/batch_profile.jsonl\n"
      "  batchscope analyze results/batch_profile.jsonl --charts\n");
}

int run(const std::vector<std::string>& arguments) {
  const std::string_view first = arguments.empty() ? "--help" : std::string_view(arguments.front());
  if (first == "--help" || first == "-h" || first == "help") {
    print_help();
    return arguments.empty() ? kUsage : kDone;
  }
  if (first == "--version" || first == "-V") {
    fmt::print("batchscope {}\n", BATCHSCOPE_VERSION);
    return kDone;
  }
  for (const Verb& verb : kVerbs) {
    if (verb.name == first) return verb.main({arguments.begin() + 1, arguments.end()});
  }
  return fail(
      make_log(),
      {base::ErrorKind::usage, fmt::format("'{}' is not a verb", first), "batchscope",
       "use profile, analyze, tune, report, plan, noise-scale, import, doctor or embed; batchscope "
       "--help tells more"});
}

}  // namespace
}  // namespace batchscope::cli

int main(int argc, char** argv) {
  batchscope::cli::hold_standard_streams();
  // A reader that goes away (| head) is a failed write with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that reached the limit on its size.
  std::signal(SIGXFSZ, SIG_IGN);
  return batchscope::cli::run({argv + 1, argv + argc});
}
