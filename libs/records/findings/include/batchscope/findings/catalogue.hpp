#pragma once

#include <span>
#include <string>
#include <string_view>

#include "batchscope/findings/finding.hpp"

namespace batchscope::findings {

// One kind of finding, as the reference of findings describes it.
struct FindingKind {
  std::string_view id;        // "scaling.dominated"
  std::string_view title;     // "A split of this batch is faster"
  std::string_view tells;     // what it tells, how it is shown
  std::string_view does;      // what a user does about it
  std::string_view severity;  // how the severity follows from the evidence
};

// Kinds that somebody asks for, beside whoever finds them.
inline constexpr char kDominated[] = "scaling.dominated";
inline constexpr char kDeparture[] = "scaling.departure";
inline constexpr char kNoLaw[] = "scaling.no-law";
inline constexpr char kLoading[] = "bottleneck.loading";

// All kinds `analyze` can report, in the order of the reference.
std::span<const FindingKind> catalogue();
// nullptr for an unknown id.
const FindingKind* find_kind(std::string_view id);
// How a reader asks for the kind: "batchscope help scaling.dominated". It needs nothing but the
// program, so that texts, pages and documents can name it.
std::string doc_link(std::string_view id);
// What it tells, what to do, how severe it is; settings have their names there.
std::string kind_markdown(const FindingKind& kind);
// The reference of findings: all of them, and the rules of fitness.
std::string catalogue_markdown();

// The thresholds of severity: a proven excess > 3 % is low, > 10 % medium, > 25 % high, else info.
Severity severity_of_excess(double ratio);

// What the program tells of findings and their numbers when it is asked for it: `batchscope help
// findings`, `batchscope help metrics`, and each kind of finding by its id.

// The two, then the ids in the order of the catalogue.
std::vector<std::string> help_topics();
// In Markdown; empty for what is none of them.
std::string help_on(std::string_view topic);

}  // namespace batchscope::findings
