#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

// "From {%} on" with 0.25: "From 25 % on".
std::string filled(std::string_view text, std::span<const double> numbers);

// A threshold that a sentence speaks of: as it is, or as it is set in what is judged by.
template <class By>
class Threshold {
 public:
  constexpr Threshold() = default;
  template <class Value>
  requires std::is_arithmetic_v<Value>
  constexpr Threshold(Value fixed) : fixed_(static_cast<double>(fixed)) {}
  constexpr Threshold(double By::*member) : member_(member) {}
  constexpr Threshold(double (*made)(const By&)) : made_(made) {}

  double in(const By& by) const {
    if (member_ != nullptr) return by.*member_;
    return made_ != nullptr ? made_(by) : fixed_;
  }

 private:
  double fixed_ = 0;
  double By::*member_ = nullptr;
  double (*made_)(const By&) = nullptr;
};

// Sentences with the thresholds in their places, one after the other: {%} is one of which 0.1 is
// told as 10 %, {} any other number. Where their counts differ it does not compile.
template <class By>
class Prose {
 public:
  template <class... Numbers>
  consteval Prose(const char* text, Numbers... numbers)
      : text_(text), numbers_{Threshold<By>(numbers)...}, count_(sizeof...(Numbers)) {
    if (static_cast<std::size_t>(std::ranges::count(text_, '{')) != count_) throw "not as many";
  }

  std::string_view text() const { return text_; }
  double number(std::size_t at, const By& by = {}) const { return numbers_.at(at).in(by); }
  std::string in(const By& by) const {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count_; ++i) numbers.push_back(number(i, by));
    return filled(text_, numbers);
  }

 private:
  std::string_view text_;
  std::array<Threshold<By>, 6> numbers_;
  std::size_t count_ = 0;
};

// info where the words are no name of one.
Severity severity_named(std::string_view words);

// What the numbers beside a finding measure.
using Metrics = std::array<const Metric*, 6>;
template <class... Of>
constexpr Metrics metrics(const Of*... each) {
  return {each...};
}

// The row of a kind, which stands beside the rule that finds it. `By`: what is judged by and may be
// set.
struct Nothing {};
template <class By = Nothing>
struct KindRow {
  std::string_view id, title;
  Prose<By> tells, does, severity;
  Metrics evidence{};

  consteval KindRow(std::string_view of, std::string_view in_short, Prose<By> telling,
                    Prose<By> doing, Prose<By> severe, Metrics numbers = {})
      : id(of), title(in_short), tells(telling), does(doing), severity(severe), evidence(numbers) {}

  // Where it is always the same; else info.
  Severity fixed_severity() const { return severity_named(severity.text()); }
  FindingKind kind(const By& by = {}) const {
    FindingKind kind{id, title, tells.in(by), does.in(by), severity.in(by), {}};
    for (const Metric* const each : evidence) {
      if (each != nullptr) kind.evidence.push_back(each);
    }
    return kind;
  }
};

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

// What the program tells of findings and their numbers when it is asked for it: `batchscope help
// findings`, `batchscope help metrics`, and each kind of finding by its id.

// The two, then the ids in the order of the catalogue.
std::vector<std::string> help_topics(const Catalogue& kinds);
// In Markdown; empty for what is none of them.
std::string help_on(std::string_view topic, const Catalogue& kinds);

}  // namespace batchscope::findings
