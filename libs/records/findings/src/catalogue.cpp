#include "batchscope/findings/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "batchscope/findings/fitness_rules.hpp"
#include "kinds.hpp"

namespace batchscope::findings {
namespace {

constexpr std::array<FindingKind, 3> kScalingKinds = {{
    {kDominated, "A split of this batch is faster",
     "Running the batch takes longer than running the same samples another way: as several smaller "
     "batches, or padded to a larger one. The best other way is chosen on the odd blocks and "
     "tested "
     "on the even ones, pair by pair within each block; the excess must be larger than 3 %. At "
     "least 12 complete blocks are needed to prove it.",
     "Never form this batch: split or pad it as the finding says. It is not among the good sizes.",
     "low above 3 %, medium above 10 %, high above 25 % of excess; info while only suspected"},
    {kDeparture, "This batch size does not fit the others",
     "The time is more than 3 % away from the law that the other sizes follow (a + b x; from 6 "
     "sizes on also a staircase or a roofline), and this is the smallest set of sizes that has to "
     "be left out for one law to fit the rest. It can be slower or faster: a faster one is worth "
     "using. Where several sets would do, they are named as \"one of\"; at an end of the sizes, an "
     "odd size and a change of regime look the same, so the finding stays a suspicion.",
     "Slower and proven: look for the cause at this size (page faults, memory, phases) or avoid "
     "it. "
     "Faster: prefer it. Suspected only: measure more blocks, and the sizes in between that are "
     "proposed.",
     "low above 3 %, medium above 10 %, high above 25 % of excess; info while only suspected"},
    {kNoLaw, "No single law describes the sizes",
     "Whichever sizes are left out, up to half of those that are not needed for a fit, the rest do "
     "not follow one law. So no size can be called odd; what looks odd against its neighbours is "
     "listed as a suspicion.",
     "Measure more sizes: with 6 or more, bends and steps can be told from odd sizes.", "info"},
}};

constexpr std::array<FindingKind, 5> kTrainKinds = {{
    {"train.loss-departs", "Two ways of training give different losses",
     "With the same seed, and so the same weights and inputs, the losses of two precisions (or "
     "with and without checkpointing) are compared at the last step that all visits of both have "
     "recorded, at most the 16th, warm-up included: they are more than 5 % apart, or one is not "
     "finite. Dropout may draw differently in another precision, which moves a loss a little. The "
     "difference is read off, not tested: visits repeat the same losses.",
     "Train for longer in both before choosing the faster one. A recommendation of this "
     "configuration says so too.",
     "low above 5 %, medium above 10 %, high above 25 % apart or not finite"},
    {"train.checkpointing", "What checkpointing saves and costs",
     "Activation memory per sample is the slope of peak memory against batch size, fitted with and "
     "without checkpointing; the time ratio is that of the time with to the time without it, "
     "paired within blocks, as a geometric mean over the batch sizes. Both are measured.",
     "Use it where the batch you want does not fit without it.", "info"},
    {"train.optimizer-share", "The optimizer takes a large share of a step",
     "The phase `optimizer` (in fp16 including unscaling the gradients and checking that they are "
     "finite) takes over 20 % of an iteration. Its time does not depend on the batch size: "
     "gradient accumulation over k batches would run it once in k, and so save at most its share x "
     "(1 - 1/k). This is an upper bound: accumulating gradients has a cost too.",
     "Accumulate the gradients of several batches per step, if a larger effective batch suits the "
     "training, or use a larger batch.",
     "info"},
    {"train.accumulation", "Ways to make a step of the same size",
     "The same number of samples per step, as one batch or as several whose gradients are averaged "
     "(`--accumulation`, `--effective-batch`): samples per second and peak memory of each way. The "
     "comparisons list the times, paired within blocks, and the losses after the same number of "
     "steps: in fp32 the losses agree, except for dropout and batch normalisation.",
     "Take the fastest way that fits; use more batches per step where memory is the limit.",
     "info"},
    {"train.learning-rate", "A different effective batch needs a different learning rate",
     "The recommended samples per step are k times those in use now (`--current-batch-size`, else "
     "the baseline of the gain). SGD: the learning rate times k, with a warm-up [Goyal et al. "
     "2017, arXiv:1706.02677]. Adam, AdamW and RMSProp: the learning rate times the square root of "
     "k, 1 - beta times k, epsilon divided by the square root of k [Malladi et al. 2022, "
     "arXiv:2205.10287]. The rule is stated, never applied: all measurements here used the rates "
     "of the engine.",
     "Set the rates by the rule, and watch the loss: beyond the noise scale of the gradient (see "
     "`batchscope noise-scale`) neither rule holds.",
     "info"},
}};

std::vector<FindingKind> all_kinds() {
  std::vector<FindingKind> kinds(kScalingKinds.begin(), kScalingKinds.end());
  const auto causes = cause_kinds();
  kinds.insert(kinds.end(), causes.begin(), causes.end());
  const auto traces = trace_kinds();
  kinds.insert(kinds.end(), kTrainKinds.begin(), kTrainKinds.end());
  kinds.insert(kinds.end(), traces.begin(), traces.end());
  const auto steps = training_kinds();
  kinds.insert(kinds.end(), steps.begin(), steps.end());
  const auto monitored = monitor_kinds();
  kinds.insert(kinds.end(), monitored.begin(), monitored.end());
  return kinds;
}

std::string anchor(std::string_view id) {
  std::string text(id);
  std::replace(text.begin(), text.end(), '.', '-');
  return text;
}

}  // namespace

std::span<const FindingKind> catalogue() {
  static const std::vector<FindingKind> kKinds = all_kinds();
  return kKinds;
}

const FindingKind* find_kind(std::string_view id) {
  const auto kinds = catalogue();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const FindingKind& kind) { return kind.id == id; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string doc_link(std::string_view id) {
  return fmt::format("batchscope help {}", id);
}

std::string kind_markdown(const FindingKind& kind) {
  return fmt::format("## {}: {}\n\n{}\n\n**What to do.** {}\n\n**Severity.** {}.\n", kind.id,
                     kind.title, kind.tells, kind.does, kind.severity);
}

std::string catalogue_markdown() {
  std::string text =
      "# Findings\n\n"
      "What `analyze`, `trace` and `monitor` can report. `batchscope help findings` prints this "
      "page, and `batchscope help` with an id the part about it.\n\n"
      "A finding is *proven* when it holds at the error rate of the whole run: all claims of a run "
      "are tested as one Holm family, so that the chance of any false one is at most 5 %. Anything "
      "else that is worth a look is *suspect* and has the severity info. Imported numbers and runs "
      "inside the caller's process are never more than suspect. What is read off the measurements "
      "without a test is *measured*.\n";
  for (const FindingKind& kind : catalogue()) {
    text += fmt::format("\n<a id=\"{}\"></a>\n\n{}", anchor(kind.id), kind_markdown(kind));
  }
  return text + fitness_markdown();
}

Severity severity_of_excess(double ratio) {
  if (ratio > 0.25) return Severity::high;
  if (ratio > 0.10) return Severity::medium;
  if (ratio > 0.03) return Severity::low;
  return Severity::info;
}

}  // namespace batchscope::findings
