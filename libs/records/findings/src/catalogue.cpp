#include "batchscope/findings/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/fitness_rules.hpp"

namespace batchscope::findings {
namespace {

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
  for (const FindingKind& kind : kinds) {
    for (const Metric* const each : kind.evidence) base::add_if_new(all, each);
  }
  return all;
}

std::string metrics_markdown(const Catalogue& kinds) {
  std::string text =
      "# Metrics\n\nWhat the numbers of a finding measure: `evidence[].metric` in the JSON. "
      "`batchscope help metrics` prints this page. A *ratio* of 0.1 is 10 %.\n\n| metric | unit | "
      "what it is |\n|---|---|---|\n";
  for (const Metric* const each : metrics_of(kinds)) {
    text += fmt::format("| `{}` | {} | {} |\n", each->name, each->unit, each->meaning);
  }
  return text;
}

std::string catalogue_markdown(const Catalogue& kinds) {
  std::string text =
      "# Findings\n\nWhat `analyze`, `trace` and `monitor` can report. `batchscope help findings` "
      "prints this page, `batchscope help ID` one finding.\n\nA *proven* finding holds at the "
      "error rate of the run: all claims of a run are one Holm family, and the chance of any false "
      "claim is at most 5 %. A *suspect* finding is worth checking and has severity info. Imported "
      "numbers and runs inside the caller's process are never more than suspect. A *measured* "
      "finding is a measured value without a test.\n";
  for (const FindingKind& kind : kinds) {
    text += fmt::format("\n<a id=\"{}\"></a>\n\n{}", anchor(kind.id), markdown_of(kind));
  }
  return text + fitness_markdown();
}

}  // namespace

std::string filled(std::string_view text, std::span<const double> numbers) {
  std::string words;
  for (const double number : numbers) {
    const std::size_t open = text.find('{'), close = text.find('}');
    words += text.substr(0, open);
    words += text[open + 1] == '%' ? base::format_level(number) : fmt::format("{:g}", number);
    text.remove_prefix(close + 1);
  }
  return words.append(text);
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

Severity severity_named(std::string_view words) {
  for (const Severity each : {Severity::high, Severity::medium, Severity::low}) {
    if (words == to_string(each)) return each;
  }
  return Severity::info;
}

Severity severity_of_excess(double ratio) {
  if (ratio > kHighExcess) return Severity::high;
  if (ratio > kMediumExcess) return Severity::medium;
  if (ratio > kLowExcess) return Severity::low;
  return Severity::info;
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
