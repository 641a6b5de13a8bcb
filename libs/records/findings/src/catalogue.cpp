#include "batchscope/findings/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "kinds.hpp"

namespace batchscope::findings {
namespace {

constexpr std::array<KindRow<>, 3> kScalingKinds = {{
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

constexpr std::array<KindRow<>, 5> kTrainKinds = {{
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

template <class Rows>
void add(const Rows& rows, Catalogue& kinds) {
  for (const auto& row : rows) kinds.push_back(row.kind());
}

constexpr std::string_view kFindings = "findings";
constexpr std::string_view kMetricsPage = "metrics";

std::string anchor(std::string_view id) {
  std::string text(id);
  std::replace(text.begin(), text.end(), '.', '-');
  return text;
}

std::string markdown_of(const FindingKind& kind) {
  return fmt::format("## {}: {}\n\n{}\n\n**What to do.** {}\n\n**Severity.** {}.\n", kind.id,
                     kind.title, kind.tells, kind.does, kind.severity);
}

// Each once.
std::vector<const Metric*> metrics_of(const Catalogue& kinds) {
  std::vector<const Metric*> all;
  for (const Metric& each : metrics_of_others()) all.push_back(&each);
  for (const FindingKind& kind : kinds) {
    for (const Metric* const each : kind.evidence) base::add_if_new(all, each);
  }
  return all;
}

std::string metrics_markdown(const Catalogue& kinds) {
  std::string text =
      "# Metrics\n\n"
      "What the numbers beside a finding measure: `evidence[].metric` in the JSON. "
      "`batchscope help metrics` prints this page. Of a *ratio*, 0.1 is 10 %.\n\n"
      "| metric | unit | what it is |\n|---|---|---|\n";
  for (const Metric* const each : metrics_of(kinds)) {
    text += fmt::format("| `{}` | {} | {} |\n", each->name, each->unit, each->meaning);
  }
  return text;
}

std::string catalogue_markdown(const Catalogue& kinds) {
  std::string text =
      "# Findings\n\n"
      "What `analyze`, `trace` and `monitor` can report. `batchscope help findings` prints this "
      "page, and `batchscope help` with an id the part about it.\n\n"
      "A finding is *proven* when it holds at the error rate of the whole run: all claims of a run "
      "are tested as one Holm family, so that the chance of any false one is at most 5 %. Anything "
      "else that is worth a look is *suspect* and has the severity info. Imported numbers and runs "
      "inside the caller's process are never more than suspect. What is read off the measurements "
      "without a test is *measured*.\n";
  for (const FindingKind& kind : kinds) {
    text += fmt::format("\n<a id=\"{}\"></a>\n\n{}", anchor(kind.id), markdown_of(kind));
  }
  return text + fitness_markdown();
}

}  // namespace

Catalogue kinds_of_others() {
  Catalogue kinds;
  add(kScalingKinds, kinds);
  add(cause_kinds(), kinds);
  add(kTrainKinds, kinds);
  add(trace_kinds(), kinds);
  return kinds;
}

Catalogue joined(std::initializer_list<Catalogue> parts) {
  Catalogue all;
  for (const Catalogue& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const FindingKind* find_kind(std::span<const FindingKind> kinds, std::string_view id) {
  const auto found = std::ranges::find(kinds, id, &FindingKind::id);
  return found == kinds.end() ? nullptr : &*found;
}

std::string doc_link(std::string_view id) {
  return fmt::format("batchscope help {}", id);
}

Severity severity_of_excess(double ratio) {
  if (ratio > kHighExcess) return Severity::high;
  if (ratio > kMediumExcess) return Severity::medium;
  if (ratio > kLowExcess) return Severity::low;
  return Severity::info;
}

std::string excess_in_words() {
  return fmt::format("low above {}, medium above {}, high above {}", base::format_level(kLowExcess),
                     base::format_level(kMediumExcess), base::format_level(kHighExcess));
}

std::vector<std::string> help_topics(const Catalogue& kinds) {
  std::vector<std::string> topics{std::string(kFindings), std::string(kMetricsPage)};
  for (const FindingKind& kind : kinds) topics.emplace_back(kind.id);
  return topics;
}

std::string help_on(std::string_view topic, const Catalogue& kinds) {
  if (topic == kFindings) return catalogue_markdown(kinds);
  if (topic == kMetricsPage) return metrics_markdown(kinds);
  const FindingKind* const kind = find_kind(kinds, topic);
  return kind == nullptr ? "" : markdown_of(*kind);
}

}  // namespace batchscope::findings
