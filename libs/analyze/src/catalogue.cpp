#include "batchscope/analyze/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace batchscope::analyze {
namespace {

constexpr std::string_view kReference = "docs/reference/findings.md";

constexpr std::array<FindingKind, 4> kKinds = {{
    {"scaling.dominated", "A split of this batch is faster",
     "Running the batch takes longer than running the same samples another way: as several smaller "
     "batches, or padded to a larger one. The best other way is chosen on the odd blocks and "
     "tested "
     "on the even ones, pair by pair within each block; the excess must be larger than 3 %. At "
     "least 12 complete blocks are needed to prove it.",
     "Never form this batch: split or pad it as the finding says. It is not among the good sizes.",
     "low above 3 %, medium above 10 %, high above 25 % of excess; info while only suspected"},
    {"scaling.departure", "This batch size does not fit the others",
     "The time is more than 3 % away from the law that the other sizes follow (a + b x; from 6 "
     "sizes on also a staircase or a roofline), and this is the smallest set of sizes that has to "
     "be left out for one law to fit the rest. It can be slower or faster: a faster one is worth "
     "using. Where several sets would do, they are named as \"one of\"; at an end of the sizes an "
     "odd size and a change of regime look the same, so it stays a suspicion.",
     "Slower: look for the cause at this size (page faults, memory, phases) or avoid it. Faster: "
     "prefer it. Open: measure the sizes in between that are proposed.",
     "low above 3 %, medium above 10 %, high above 25 % of excess; info while only suspected"},
    {"scaling.no-law", "No single law describes the sizes",
     "Whichever sizes are left out, up to half of those that are not needed for a fit, the rest "
     "does not follow one law. So no size can be called odd; what looks odd against its neighbours "
     "is listed as a suspicion.",
     "Measure more sizes: with 6 or more, bends and steps can be told from odd sizes.", "info"},
    {"cause.heap-returned", "The C library gives memory back in every iteration",
     "glibc's malloc maps large blocks on their own and trims the top of the heap, so that the "
     "memory of an iteration goes back to the kernel when it is freed and is zeroed and mapped "
     "page "
     "by page in the next one. The signal is at least 1000 minor page faults an iteration with at "
     "least 1 % of its time spent in the kernel. The same batch size, and a neighbour with less of "
     "the signal, are measured again with and without a malloc that keeps its memory, in turn: "
     "confirmed when that saves time (at the error rate of all interventions of the run, and at "
     "least 1 %), refuted when it cannot save more than 3 %.",
     "Set the variable that the finding names for the process that serves or trains, or preload "
     "another malloc (jemalloc, tcmalloc). It keeps more memory resident.",
     "as of an excess of the time without the fix over that with it; info unless confirmed"},
}};

std::string anchor(std::string_view id) {
  std::string text(id);
  std::replace(text.begin(), text.end(), '.', '-');
  return text;
}

}  // namespace

std::span<const FindingKind> catalogue() {
  return kKinds;
}

const FindingKind* find_kind(std::string_view id) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const FindingKind& kind) { return kind.id == id; });
  return found == kKinds.end() ? nullptr : &*found;
}

std::string doc_link(std::string_view id) {
  return fmt::format("{}#{}", kReference, anchor(id));
}

std::string catalogue_markdown() {
  std::string text =
      "# Findings\n\n"
      "What `analyze` can report. This page is generated from the catalogue in the code "
      "(`findings_reference`); change it there.\n\n"
      "A finding is *proven* when it holds at the error rate of the whole run: all claims of a run "
      "are tested as one Holm family, so that the chance of any false one is at most 5 %. Anything "
      "else that is worth a look is *suspect* and has the severity info. Imported numbers and runs "
      "inside the caller's process are never more than suspect.\n";
  for (const FindingKind& kind : kKinds) {
    text += fmt::format(
        "\n<a id=\"{}\"></a>\n\n## {}: {}\n\n{}\n\n**What to do.** {}\n\n**Severity.** {}.\n",
        anchor(kind.id), kind.id, kind.title, kind.tells, kind.does, kind.severity);
  }
  return text;
}

schema::Severity severity_of_excess(double ratio) {
  if (ratio > 0.25) return schema::Severity::high;
  if (ratio > 0.10) return schema::Severity::medium;
  if (ratio > 0.03) return schema::Severity::low;
  return schema::Severity::info;
}

}  // namespace batchscope::analyze
