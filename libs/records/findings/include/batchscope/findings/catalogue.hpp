#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/metrics.hpp"

namespace batchscope::findings {

// One kind of finding, as a reader is told of it.
struct FindingKind {
  std::string_view id;     // "scaling.dominated"
  std::string_view title;  // "A split of this batch is faster"
  std::string tells;       // what it tells, how it is shown
  std::string does;        // what a user does about it
  std::string severity;    // how the severity follows from the evidence
  std::vector<const Metric*> evidence;
};
using Catalogue = std::vector<FindingKind>;

// Words as they are, or made of the thresholds that they speak of.
template <class... By>
class Prose {
 public:
  constexpr Prose(const char* fixed) : fixed_(fixed) {}
  template <std::convertible_to<std::string (*)(const By&...)> Made>
  constexpr Prose(Made made) : made_(made) {}

  std::string operator()(const By&... by) const { return made_ == nullptr ? fixed_ : made_(by...); }

 private:
  const char* fixed_ = "";
  std::string (*made_)(const By&...) = nullptr;
};

// The row of a kind, which stands beside the rule that finds it. `By`: what a user may set of that
// by which it is judged.
template <class... By>
struct KindRow {
  std::string_view id, title;
  Prose<By...> tells, does, severity;
  std::array<const Metric*, 6> evidence{};

  FindingKind kind(const By&... by) const {
    FindingKind kind{id, title, tells(by...), does(by...), severity(by...), {}};
    for (const Metric* const each : evidence) {
      if (each != nullptr) kind.evidence.push_back(each);
    }
    return kind;
  }
};

// Those that no wing has yet.
Catalogue kinds_of_others();
// Those of one wing after those of another.
Catalogue joined(std::initializer_list<Catalogue> parts);
// nullptr for an unknown id.
const FindingKind* find_kind(std::span<const FindingKind> kinds, std::string_view id);
// How a reader asks for the kind: "batchscope help scaling.dominated". It needs nothing but the
// program, so that texts, pages and documents can name it.
std::string doc_link(std::string_view id);

// Kinds that somebody asks for, beside whoever finds them.
inline constexpr char kDominated[] = "scaling.dominated";
inline constexpr char kDeparture[] = "scaling.departure";
inline constexpr char kNoLaw[] = "scaling.no-law";
inline constexpr char kLoading[] = "bottleneck.loading";

// The thresholds of severity: a proven excess above one is so severe, else info.
inline constexpr double kLowExcess = 0.03, kMediumExcess = 0.10, kHighExcess = 0.25;
Severity severity_of_excess(double ratio);
// "low above 3 %, medium above 10 %, high above 25 %".
std::string excess_in_words();

// What the program tells of findings and their numbers when it is asked for it: `batchscope help
// findings`, `batchscope help metrics`, and each kind of finding by its id.

// The two, then the ids in the order of the catalogue.
std::vector<std::string> help_topics(const Catalogue& kinds);
// In Markdown; empty for what is none of them.
std::string help_on(std::string_view topic, const Catalogue& kinds);

}  // namespace batchscope::findings
